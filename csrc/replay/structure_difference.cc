#include "replay/structure_difference.h"

#include "base/printable.h"
#include "format/canonical_json.h"
#include "format/signature.h"

namespace opcov {
namespace {

constexpr std::size_t kLongestValue = 200;

bool is_number(const Json& value) {
  return value.is_number() || (value.is_object() && (value.contains("float") || value.contains("complex")));
}

// NaN and infinity are objects, and a number like any other.
bool is_of_one_kind(const Json& recorded, const Json& replayed) {
  return (is_number(recorded) && is_number(replayed)) || (recorded.is_boolean() && replayed.is_boolean());
}

std::string in_words(const std::string& where, const Json& recorded, const Json& replayed) {
  return where + ": " + shortened(canonical_json(recorded), kLongestValue) + " recorded, " +
         shortened(canonical_json(replayed), kLongestValue) + " replayed";
}

std::string difference(const std::string& where, const Json& recorded, const Json& replayed, OutputNumbers numbers) {
  if (canonical_json(recorded) == canonical_json(replayed)) return {};  // 1 and 1.0 are two
  if (is_tensor(recorded) && is_tensor(replayed)) {
    for (const char* key : {"dtype", "layout", "shape", "stride"})
      if (recorded.value(key, Json()) != replayed.value(key, Json()))
        return in_words(where + " " + key, recorded.value(key, Json()), replayed.value(key, Json()));
  }
  if (numbers == OutputNumbers::kOfOneKind && is_of_one_kind(recorded, replayed)) return {};
  if (recorded.is_array() && replayed.is_array() && recorded.size() == replayed.size()) {
    for (std::size_t i = 0; i < recorded.size(); ++i)
      if (std::string text = difference(where + " " + std::to_string(i), recorded[i], replayed[i], numbers);
          !text.empty())
        return text;
    return {};
  }
  return in_words(where, recorded, replayed);
}

}  // namespace

std::string structure_difference(const Json& recorded, const Json& replayed, OutputNumbers numbers) {
  std::string text = difference("args", recorded.at("args"), replayed.at("args"), OutputNumbers::kEqual);
  if (text.empty() && canonical_json(recorded.at("kwargs")) != canonical_json(replayed.at("kwargs")))
    text = in_words("kwargs", recorded.at("kwargs"), replayed.at("kwargs"));
  if (text.empty() && recorded.contains("output"))
    text = difference("output", recorded.at("output"), replayed.at("output"), numbers);
  return text;
}

}  // namespace opcov
