#include "format/indented_json.h"

namespace opcov {
namespace {

constexpr std::size_t kPieceBytes = 256 << 10;

// Behind the closing quote of the string that begins at text[at].
std::size_t end_of_string(std::string_view text, std::size_t at) {
  for (++at; text[at] != '"'; ++at)
    if (text[at] == '\\') ++at;
  return at + 1;
}

}  // namespace

void IndentedJson::new_line(std::size_t depth) {
  out_ += '\n';
  out_.append(2 * depth, ' ');
}

void IndentedJson::add(std::string_view canonical) {
  for (std::size_t i = 0; i < canonical.size(); ++i) {
    const char c = canonical[i];
    const bool closes = c == '}' || c == ']';
    if (closes) --depth_;
    if (closes != just_opened_) new_line(depth_);  // nothing stands between the brackets of an empty value
    just_opened_ = c == '{' || c == '[';
    if (just_opened_) ++depth_;
    if (c == '"') {
      const std::size_t end = end_of_string(canonical, i);
      out_.append(canonical, i, end - i);
      i = end - 1;
      continue;
    }
    out_ += c;
    if (c == ':') out_ += ' ';
    if (c == ',') new_line(depth_);
  }
  if (out_.size() < kPieceBytes) return;
  sink_(out_);
  out_.clear();
}

void IndentedJson::finish() {
  sink_(out_);
  out_.clear();
}

std::string indented_json(const OrderedJson& value) {
  std::string text;
  IndentedJson json([&](std::string_view piece) { text += piece; });
  json.add(canonical_json(value));
  json.finish();
  return text;
}

}  // namespace opcov
