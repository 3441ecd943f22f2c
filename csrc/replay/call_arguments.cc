#include "replay/call_arguments.h"

namespace opcov {

const Json& CallArguments::operator[](const std::string& name) const {
  static const Json none;
  const auto found = given.find(name);
  return found == given.end() ? none : found->second;
}

std::vector<std::int64_t> CallArguments::shape(const std::string& name) const { return shape_of((*this)[name]); }

std::int64_t CallArguments::integer(const std::string& name, std::int64_t otherwise) const {
  const Json& value = (*this)[name];
  return value.is_number_integer() ? value.get<std::int64_t>() : otherwise;
}

std::int64_t CallArguments::size(const std::string& name, std::int64_t dim) const {
  const std::vector<std::int64_t> sizes = shape(name);
  const auto n = static_cast<std::int64_t>(sizes.size());
  if (dim < 0) dim += n;
  return dim >= 0 && dim < n ? sizes[static_cast<std::size_t>(dim)] : 1;
}

std::int64_t CallArguments::elements(const std::string& name) const { return elements_of((*this)[name]); }

std::vector<std::int64_t> shape_of(const Json& tensor) {
  return tensor.is_object() && tensor.contains("shape") ? tensor["shape"].get<std::vector<std::int64_t>>()
                                                        : std::vector<std::int64_t>();
}

std::int64_t elements_of(const Json& tensor) {
  std::int64_t n = 1;
  for (const std::int64_t size : shape_of(tensor)) n *= size;
  return n;
}

}  // namespace opcov
