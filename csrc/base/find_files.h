// Finds the files that a command line names: folders, files and globs (for shells that did not expand them).
//
// Paths stay as they were given, a folder's files behind its name. Errors: throws Error (kBadInput).
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/line_reader.h"

namespace opcov {

/// The names, globs among them expanded; every one is there. A name that is there is never taken for a glob.
std::vector<std::string> expand_names(const std::vector<std::string>& names);

/// The files of one folder whose name is wanted, sorted; none where the folder is missing.
std::vector<std::string> files_in(const std::string& folder,
                                  const std::function<bool(const std::string& name)>& wanted);

using FilesByIdentity = std::map<FileIdentity, std::string>;

/// Throws where two paths lead to the same file; `remedy` ends the message.
FilesByIdentity refuse_duplicates(const std::vector<std::string>& files, const std::string& remedy);

}  // namespace opcov
