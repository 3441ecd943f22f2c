// Looks for a function among all libraries of the process, also those that dlsym(RTLD_DEFAULT) does not search because
// somebody opened them for himself.
//
// Reads the tables of the loaded libraries where they lie in memory. Not by dlopen(RTLD_NOLOAD): while a process ends,
// that runs initialisers again. Threads: any. Source: the ELF gABI, and GNU hash tables as the GNU tools write them.
#pragma once

namespace opcov {

/// Does a library that is loaded now define and export this name?
bool is_symbol_loaded(const char* name) noexcept;

}  // namespace opcov
