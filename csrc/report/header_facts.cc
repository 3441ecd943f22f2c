#include "report/header_facts.h"

#include "format/canonical_json.h"

namespace opcov {
namespace {

void keep(std::set<std::string>& texts, const std::string& text) {
  if (!text.empty() && texts.size() < HeaderFacts::kMost) texts.insert(text);
}

std::string text_of(const Json& value) { return value.is_string() ? value.get<std::string>() : canonical_json(value); }

void keep_text(std::set<std::string>& texts, const Json& header, const char* key) {
  const Json value = header.value(key, Json());
  if (value.is_string()) keep(texts, value.get<std::string>());
}

std::string joined(const Json& list) {
  std::string text;
  if (!list.is_array()) return text;
  for (const Json& item : list)
    if (item.is_string()) text += (text.empty() ? "" : ",") + item.get<std::string>();
  return text;
}

}  // namespace

void HeaderFacts::add(const Json& header) {
  keep_text(torch, header, "torch");
  keep_text(recorders, header, "opcov");
  keep_text(hosts, header, "host");
  keep(operators, joined(header.value("ops", Json())));
  const Json environment = header.value("environment", Json());
  if (!environment.is_object()) return;
  for (const auto& [key, value] : environment.items()) {
    if (key != "gpus") {
      keep(settings, key + ": " + text_of(value));
    } else if (value.is_array()) {
      for (const Json& name : value) keep(gpus, text_of(name));
    }
  }
}

}  // namespace opcov
