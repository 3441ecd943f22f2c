#include "format/plain_signature.h"

#include <string>

#include "base/sha256.h"

namespace opcov {
namespace {

constexpr int kDeepest = 100;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Copies what it reads, without devices. Every function returns false where the text is not plain.
class PlainCopier {
 public:
  explicit PlainCopier(std::string_view text) : text_(text) { out_.reserve(text.size()); }

  bool signature(Signature& made) {
    std::string_view op;
    std::string_view stage;
    const bool plain = copy("{\"args\":") && peek() == '[' && value(1) && copy(",\"kwargs\":") && kwargs() &&
                       copy(",\"op\":") && string(op) && !op.empty() && copy(",\"output\":") && value(1) &&
                       copy(",\"stage\":") && string(stage) && copy("}") && at_ == text_.size();
    if (!plain) return false;
    made.op = op;
    made.stage = stage;
    made.text = std::move(out_);
    return true;
  }

 private:
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  bool copy(std::string_view expected) {
    if (!text_.substr(at_).starts_with(expected)) return false;
    out_ += expected;
    at_ += expected.size();
    return true;
  }

  bool value(int depth) {
    if (depth > kDeepest) return false;
    std::string_view ignored;
    switch (peek()) {
      case '[': return list(depth);
      case '{': return object(depth);
      case '"': return string(ignored);
      case 't': return copy("true");
      case 'f': return copy("false");
      case 'n': return copy("null");
      default: return integer();
    }
  }

  bool integer() {
    constexpr std::size_t kMostDigits = 18;
    const std::size_t begin = at_;
    const bool negative = peek() == '-';
    if (negative) ++at_;
    const std::size_t digits = at_;
    while (is_digit(peek())) ++at_;
    const std::size_t length = at_ - digits;
    const bool zero = length > 0 && text_[digits] == '0';
    if (length == 0 || length > kMostDigits || (zero && (length > 1 || negative))) return false;
    out_ += text_.substr(begin, at_ - begin);
    return true;
  }

  // What stands between the quotes.
  bool read_string(std::string_view& read) {
    if (peek() != '"') return false;
    const std::size_t begin = ++at_;
    while (peek() != '"') {
      if (peek() < ' ' || peek() > '~' || peek() == '\\') return false;  // ASCII alone, signed or not
      ++at_;
    }
    read = text_.substr(begin, at_++ - begin);
    return true;
  }

  void write_string(std::string_view written) {
    out_ += '"';
    out_ += written;
    out_ += '"';
  }

  bool string(std::string_view& read) {
    if (!read_string(read)) return false;
    write_string(read);
    return true;
  }

  bool list(int depth) {
    if (!copy("[")) return false;
    if (copy("]")) return true;
    do {
      if (!value(depth + 1)) return false;
    } while (copy(","));
    return copy("]");
  }

  bool kwargs() {
    if (!copy("{")) return false;
    std::string_view before;
    for (bool first = true; !copy("}"); first = false) {
      std::string_view key;
      if ((!first && !copy(",")) || !string(key) || (!first && key <= before) || !copy(":") || !value(2)) return false;
      before = key;
    }
    return true;
  }

  // A tensor's "device" is left out; any other object that has one is not plain.
  bool object(int depth) {
    if (!skip('{')) return false;
    out_ += '{';
    ++objects_;
    const std::size_t objects = objects_;
    Keys keys;
    bool first = true;
    while (!skip('}')) {
      if ((!first && !skip(',')) || !member(depth, keys)) return false;
      first = false;
    }
    out_ += '}';
    // What stands inside a tensor would keep its devices: no recorder writes such a one.
    const bool is_tensor = keys.dtype && keys.shape_or_layout;
    return is_tensor ? objects_ == objects : !keys.device;
  }

  struct Keys {
    bool dtype = false;
    bool shape_or_layout = false;
    bool device = false;
    bool any = false;
    std::string_view before;
  };

  bool member(int depth, Keys& keys) {
    std::string_view key;
    if (!read_string(key) || !skip(':')) return false;
    if (key == "device") {
      std::string_view device;
      if (keys.device || !read_string(device)) return false;
      keys.device = true;
      return true;
    }
    if (keys.any && key <= keys.before) return false;
    if (keys.any) out_ += ',';
    keys.any = true;
    keys.before = key;
    keys.dtype = keys.dtype || key == "dtype";
    keys.shape_or_layout = keys.shape_or_layout || key == "shape" || key == "layout";
    write_string(key);
    out_ += ':';
    return value(depth + 1);
  }

  bool skip(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string out_;
  std::size_t objects_ = 0;
};

}  // namespace

std::optional<Signature> plain_signature(std::string_view raw) {
  Signature made;
  if (!PlainCopier(raw).signature(made)) return std::nullopt;
  made.text.shrink_to_fit();
  made.digest = sha256_hex(made.text);
  return made;
}

}  // namespace opcov
