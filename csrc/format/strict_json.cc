#include "format/strict_json.h"

#include <utility>
#include <vector>

namespace opcov {
namespace {

// Builds the value as nlohmann's own builder would, but with our refusals. Errors leave through FormatError.
class StrictBuilder : public nlohmann::json_sax<Json> {
 public:
  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(number_integer_t value) override { return add(value); }
  bool number_unsigned(number_unsigned_t value) override { return add(value); }
  bool number_float(number_float_t value, const string_t& text) override {
    // Where an integer does not fit, nlohmann hands over a rounded float.
    if (text.find_first_of(".eE") == string_t::npos) throw FormatError("integer beyond 64 bits: " + text);
    return add(value);
  }
  bool string(string_t& value) override { return add(std::move(value)); }
  bool binary(binary_t&) override { return false; }  // JSON text holds none
  bool start_object(std::size_t) override { return open(Json::object()); }
  bool start_array(std::size_t) override { return open(Json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t& name) override {
    auto [place, is_new] = open_.back()->get_ref<Json::object_t&>().try_emplace(std::move(name));
    if (!is_new) throw FormatError("the key \"" + place->first + "\" is given twice");
    member_ = &place->second;
    return true;
  }
  bool parse_error(std::size_t position, const std::string&, const Json::exception& error) override {
    const std::string what = error.what();
    const std::size_t reason = what.rfind(": ");  // "[json.exception...] parse error at line 1, column 5: REASON"
    const std::size_t syntax = what.find("syntax error");
    throw FormatError("not valid JSON at byte " + std::to_string(position) + " of the value" +
                      (syntax != std::string::npos   ? " (" + what.substr(syntax) + ")"
                       : reason != std::string::npos ? " (" + what.substr(reason + 2) + ")"
                                                     : ""));
  }

  Json take() { return std::move(root_); }

 private:
  Json* place(Json&& value) {
    if (open_.empty()) return &(root_ = std::move(value));
    if (open_.back()->is_array()) return &open_.back()->get_ref<Json::array_t&>().emplace_back(std::move(value));
    return &(*member_ = std::move(value));
  }
  bool add(Json&& value) {
    place(std::move(value));
    return true;
  }
  bool open(Json&& value) {
    if (open_.size() == kDeepestJson)
      throw FormatError("nested deeper than " + std::to_string(kDeepestJson) + " levels");
    // Parents do not move while a child is open: only the innermost array grows.
    open_.push_back(place(std::move(value)));
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  Json root_;
  std::vector<Json*> open_;
  Json* member_ = nullptr;
};

}  // namespace

Json parse_strict(std::string_view text) {
  // nlohmann takes a NUL byte for the end of its input.
  if (text.find('\0') != std::string_view::npos) throw FormatError("contains a NUL byte");
  StrictBuilder builder;
  Json::sax_parse(text.begin(), text.end(), &builder);
  return builder.take();
}

bool is_utf8(const std::string& text) try {
  return !Json(text).dump().empty();
} catch (const Json::type_error&) {  // what dump() says of anything else
  return false;
}

std::optional<std::uint64_t> as_count(const Json& value) {
  constexpr std::uint64_t kMost = INT64_MAX;
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() > kMost) return std::nullopt;
  return value.get<std::uint64_t>();
}

}  // namespace opcov
