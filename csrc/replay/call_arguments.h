// A call's arguments by the names that the operator's schema gives them, for those who have to know what is meant by
// one of them. Free of torch's headers.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "format/strict_json.h"

namespace opcov {

struct CallArguments {
  std::string op;                     // "aten::gather", without overload
  std::map<std::string, Json> given;  // also those that a schema's default stands for, where that is a number
  Json output;                        // null where it is not known

  /// null where the call has none of this name.
  const Json& operator[](const std::string& name) const;

  std::vector<std::int64_t> shape(const std::string& name) const;  // empty where it is no tensor
  std::int64_t integer(const std::string& name, std::int64_t otherwise) const;

  /// The size of the tensor in one of its dimensions, which may be counted from the last one; 1 where it has none.
  std::int64_t size(const std::string& name, std::int64_t dim) const;
  std::int64_t elements(const std::string& name) const;
};

std::vector<std::int64_t> shape_of(const Json& tensor);
std::int64_t elements_of(const Json& tensor);

}  // namespace opcov
