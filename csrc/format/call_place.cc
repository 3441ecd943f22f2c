#include "format/call_place.h"

#include <string_view>

#include "format/format_error.h"

namespace opcov {
namespace {

[[noreturn]] void bad_member(const char* key, const char* type) {
  throw FormatError(std::string("\"") + key + "\" of \"where\" is no " + type);
}

std::string text_member(const Json& json, const char* key) {
  const Json value = json.value(key, Json(""));
  if (!value.is_string()) bad_member(key, "string");
  return value.get<std::string>();
}

bool flag_member(const Json& json, const char* key) {
  const Json value = json.value(key, Json(false));
  if (!value.is_boolean()) bad_member(key, "boolean");
  return value.get<bool>();
}

std::uint64_t count_member(const Json& json, const char* key) {
  const auto count = as_count(json.value(key, Json(0U)));
  if (!count) bad_member(key, "whole number from 0 to 2^63-1");
  return *count;
}

std::vector<std::string> texts_member(const Json& json, const char* key) {
  std::vector<std::string> texts;
  const Json values = json.value(key, Json::array());
  if (!values.is_array()) bad_member(key, "array");
  for (const Json& value : values) {
    if (!value.is_string()) bad_member(key, "array of strings");
    texts.push_back(value.get<std::string>());
  }
  return texts;
}

void append(std::string& text, std::string_view part) { text += (text.empty() ? "" : ", ") + std::string(part); }

}  // namespace

OrderedJson place_json(const CallPlace& place) {
  OrderedJson json = OrderedJson::object();
  if (!place.module.empty()) json["module"] = place.module;
  if (!place.module_class.empty()) json["class"] = place.module_class;
  if (!place.root.empty()) json["root"] = place.root;
  if (!place.frames.empty()) json["frames"] = place.frames;
  if (place.left_out > 0) json["left_out"] = place.left_out;
  if (place.more_frames) json["more"] = true;
  if (place.backward) json["backward"] = true;
  return json;
}

CallPlace read_place(const Json& json) {
  if (!json.is_object()) throw FormatError("\"where\" is no object");
  CallPlace place;
  place.module = text_member(json, "module");
  place.module_class = text_member(json, "class");
  place.root = text_member(json, "root");
  place.frames = texts_member(json, "frames");
  place.left_out = count_member(json, "left_out");
  place.more_frames = flag_member(json, "more");
  place.backward = flag_member(json, "backward");
  return place;
}

std::string place_title(const CallPlace& place) {
  std::string title = place.root;
  if (!place.module.empty()) title = place.module + " (" + place.module_class + ") in " + place.root;
  if (place.backward) append(title, "in backward");
  return title;
}

std::string place_remark(const CallPlace& place) {
  std::string remark;
  if (place.left_out > 0)
    append(remark,
           std::to_string(place.left_out) + (place.left_out == 1 ? " frame" : " frames") + " of torch left out");
  if (place.more_frames) append(remark, "more further out");
  return remark;
}

}  // namespace opcov
