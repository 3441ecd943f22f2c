#include "base/loaded_symbol.h"

#include <elf.h>
#include <link.h>

#include <cstdint>
#include <cstring>

namespace opcov {
namespace {

/// What is needed of a library's dynamic section.
struct Tables {
  const ElfW(Sym) * symbols = nullptr;
  const char* names = nullptr;
  const std::uint32_t* hash = nullptr;  // DT_GNU_HASH
};

const ElfW(Dyn) * dynamic_section(const dl_phdr_info& library) {
  for (int i = 0; i < library.dlpi_phnum; ++i)
    if (library.dlpi_phdr[i].p_type == PT_DYNAMIC)
      return reinterpret_cast<const ElfW(Dyn)*>(library.dlpi_addr + library.dlpi_phdr[i].p_vaddr);
  return nullptr;
}

Tables tables_of(const dl_phdr_info& library) {
  Tables tables;
  const ElfW(Dyn)* entry = dynamic_section(library);
  for (; entry != nullptr && entry->d_tag != DT_NULL; ++entry) {
    // The loader has made addresses of the offsets, but not in the kernel's own library.
    const ElfW(Addr) given = entry->d_un.d_ptr;
    const ElfW(Addr) address = given < library.dlpi_addr ? library.dlpi_addr + given : given;
    if (entry->d_tag == DT_SYMTAB) tables.symbols = reinterpret_cast<const ElfW(Sym)*>(address);
    if (entry->d_tag == DT_STRTAB) tables.names = reinterpret_cast<const char*>(address);
    if (entry->d_tag == DT_GNU_HASH) tables.hash = reinterpret_cast<const std::uint32_t*>(address);
  }
  return tables;
}

std::uint32_t gnu_hash(const char* name) {
  std::uint32_t hash = 5381;
  for (; *name != '\0'; ++name) hash = hash * 33 + static_cast<unsigned char>(*name);
  return hash;
}

bool defines(const Tables& tables, const char* name) {
  if (tables.symbols == nullptr || tables.names == nullptr || tables.hash == nullptr) return false;
  const std::uint32_t n_buckets = tables.hash[0];
  const std::uint32_t first = tables.hash[1];  // symbols before it are not in the table
  const std::uint32_t bloom_words = tables.hash[2];
  if (n_buckets == 0) return false;
  const auto* buckets = tables.hash + 4 + bloom_words * (sizeof(ElfW(Addr)) / sizeof(std::uint32_t));
  const std::uint32_t* chain = buckets + n_buckets;
  const std::uint32_t wanted = gnu_hash(name);
  std::uint32_t i = buckets[wanted % n_buckets];
  if (i < first) return false;
  // The lowest bit of a hash in a chain marks its end.
  for (;; ++i) {
    const std::uint32_t hash = chain[i - first];
    const ElfW(Sym)& symbol = tables.symbols[i];
    if ((hash | 1U) == (wanted | 1U) && symbol.st_shndx != SHN_UNDEF &&
        std::strcmp(tables.names + symbol.st_name, name) == 0)
      return true;
    if ((hash & 1U) != 0) return false;
  }
}

}  // namespace

bool is_symbol_loaded(const char* name) noexcept {
  const auto look = [](dl_phdr_info* library, std::size_t, void* wanted) -> int {
    return defines(tables_of(*library), static_cast<const char*>(wanted)) ? 1 : 0;
  };
  return dl_iterate_phdr(look, const_cast<char*>(name)) != 0;
}

}  // namespace opcov
