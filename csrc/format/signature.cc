#include "format/signature.h"

#include <array>
#include <utility>

#include "base/sha256.h"
#include "format/canonical_json.h"

namespace opcov {
namespace {

struct Part {
  const char* key;
  bool (*right)(const Json&);
  const char* type;
  bool optional;
};

constexpr std::array<Part, 5> kParts = {{
    {"args", [](const Json& v) { return v.is_array(); }, "an array", false},
    {"kwargs", [](const Json& v) { return v.is_object(); }, "an object", false},
    {"op", [](const Json& v) { return v.is_string() && !v.get_ref<const std::string&>().empty(); }, "a name", false},
    {"output", [](const Json&) { return true; }, "a value", true},
    {"stage", [](const Json& v) { return v.is_string(); }, "a string", true},
}};

void remove_device(Json& value) {
  if (is_tensor(value)) {
    value.erase("device");
  } else if (value.is_structured()) {
    for (Json& inner : value) remove_device(inner);
  }
}

}  // namespace

bool is_tensor(const Json& value) {
  return value.is_object() && value.contains("dtype") && (value.contains("shape") || value.contains("layout"));
}

void check_signature_shape(const Json& signature, bool partial) {
  if (!signature.is_object()) throw FormatError("the signature is no object");
  std::size_t known = 0;
  for (const Part& part : kParts) {
    const auto found = signature.find(part.key);
    if (found == signature.end()) {
      if (partial && part.optional) continue;
      throw FormatError(std::string("the signature has no \"") + part.key + "\"");
    }
    if (!part.right(*found)) throw FormatError(std::string("the signature's \"") + part.key + "\" is not " + part.type);
    ++known;
  }
  if (known == signature.size()) return;
  for (const auto& [key, value] : signature.items()) {
    bool expected = false;
    for (const Part& part : kParts) expected = expected || key == part.key;
    if (!expected)
      throw FormatError("the signature has a key \"" + key + "\"; it takes args, kwargs, op, output and stage alone");
  }
}

void remove_devices(Json& signature) {
  for (const char* key : {"args", "output"})
    if (signature.contains(key)) remove_device(signature[key]);
  for (Json& value : signature["kwargs"]) remove_device(value);
}

Signature make_signature(Json recorded) {
  check_signature_shape(recorded, /*partial=*/false);
  remove_devices(recorded);
  Signature made{canonical_json(recorded),
                 {},
                 std::move(recorded["op"].get_ref<std::string&>()),
                 std::move(recorded["stage"].get_ref<std::string&>())};
  made.digest = sha256_hex(made.text);
  return made;
}

}  // namespace opcov
