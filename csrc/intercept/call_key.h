// A call in the form in which calls are compared: a sequence of 64-bit words, equal exactly where the recorded
// signatures (device included) are equal. Built on every call without allocating for a usual one; turned into JSON
// (call_key_json.h) only for a signature seen for the first time.
//
//   word 0             operator index | stage id << 32
//   word 1             number of args | number of kwargs << 32
//   args, kwargs (each a name word before its value), output
//   last word          1 where the operator gave an input back unchanged
//
// A value is a head word (tag in the low 8 bits) and what the tag says follows it. Names (dtypes, argument names) are
// pointers to strings that are never freed, one string a name, so that equal names are equal words.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace opcov {

enum class KeyTag : std::uint8_t {
  kNone,          // payload 0
  kBool,          // payload 0 or 1
  kInt,           // one word
  kDouble,        // one word, the bits
  kComplex,       // two words
  kString,        // payload: bytes; then the bytes, padded to words
  kObject,        // as kString: a type name
  kName,          // one word: pointer to a name
  kList,          // payload: items; then the items
  kDict,          // payload: pairs; then key, value, ...
  kTensor,        // see append_tensor
  kLayoutTensor,  // a tensor without strides: the layout's name follows the head
};

/// A tensor's head word: tag 8 bits | dtype 8 | device type 8 | device index + 1, 16 | has shape 1 | dimensions 23.
struct TensorHead {
  std::uint8_t dtype = 0;
  std::uint8_t device_type = 0;
  std::int16_t device_index = -1;
  bool has_shape = true;
  std::uint32_t dims = 0;
};

constexpr std::uint64_t pack(KeyTag tag, std::uint64_t payload) {
  return static_cast<std::uint64_t>(tag) | (payload << 8U);
}
constexpr KeyTag tag_of(std::uint64_t word) { return static_cast<KeyTag>(word & 0xffU); }
constexpr std::uint64_t payload_of(std::uint64_t word) { return word >> 8U; }

constexpr std::uint64_t pack(KeyTag tag, const TensorHead& head) {
  const std::uint64_t index = static_cast<std::uint16_t>(head.device_index + 1);
  return pack(tag, head.dtype | (std::uint64_t{head.device_type} << 8U) | (index << 16U) |
                       (std::uint64_t{head.has_shape} << 32U) | (std::uint64_t{head.dims} << 33U));
}
constexpr TensorHead tensor_head_of(std::uint64_t word) {
  const std::uint64_t p = payload_of(word);
  TensorHead head;
  head.dtype = static_cast<std::uint8_t>(p);
  head.device_type = static_cast<std::uint8_t>(p >> 8U);
  head.device_index = static_cast<std::int16_t>(static_cast<std::uint16_t>(p >> 16U) - 1);
  head.has_shape = ((p >> 32U) & 1U) != 0;
  head.dims = static_cast<std::uint32_t>(p >> 33U);
  return head;
}

/// For tables, together with an exact comparison. A sum of products of pairs, which do not wait for each other.
inline std::uint64_t hash_words(const std::uint64_t* words, std::size_t size) {
  constexpr std::uint64_t kStep = 0x9e3779b97f4a7c15U;
  std::uint64_t offset = kStep;
  std::uint64_t h = size;
  const std::uint64_t* w = words;
  const std::uint64_t* end = words + size;
  for (const std::uint64_t* last = end - 1; w < last; w += 2) {
    h += (w[0] + offset) * (w[1] - offset);
    offset += 2 * kStep;  // stays odd
  }
  if (w != end) h += *w * offset;
  h ^= h >> 32U;
  h *= 0xff51afd7ed558ccdU;
  return h ^ (h >> 29U);
}

/// A key, or the beginning of one, to be looked up by.
struct KeyView {
  const std::uint64_t* words = nullptr;
  std::size_t size = 0;
  std::uint64_t hash = 0;  // hash_words()

  bool operator==(const KeyView& other) const {
    return hash == other.hash && size == other.size && std::memcmp(words, other.words, size * sizeof *words) == 0;
  }
};

/// On the stack up to 192 words: 13 five-dimensional tensors.
class CallKey {
 public:
  CallKey() = default;
  ~CallKey() {
    if (begin_ != inline_.data()) delete[] begin_;
  }
  CallKey(const CallKey&) = delete;
  CallKey& operator=(const CallKey&) = delete;

  void begin(std::uint32_t op, std::uint32_t stage) { word(op | (std::uint64_t{stage} << 32U)); }
  void arity(std::size_t args, std::size_t kwargs) { word(args | (std::uint64_t{kwargs} << 32U)); }
  void word(std::uint64_t w) {
    if (end_ == limit_) grow(1);
    *end_++ = w;
  }
  void none() { word(pack(KeyTag::kNone, 0)); }
  void boolean(bool value) { word(pack(KeyTag::kBool, value ? 1 : 0)); }
  void integer(std::int64_t value) {
    word(pack(KeyTag::kInt, 0));
    word(static_cast<std::uint64_t>(value));
  }
  void real(double value) {
    word(pack(KeyTag::kDouble, 0));
    word(std::bit_cast<std::uint64_t>(value));
  }
  void complex(double re, double im) {
    word(pack(KeyTag::kComplex, 0));
    word(std::bit_cast<std::uint64_t>(re));
    word(std::bit_cast<std::uint64_t>(im));
  }
  void name(const char* text) {
    word(pack(KeyTag::kName, 0));
    name_word(text);
  }
  void name_word(const char* text) { word(reinterpret_cast<std::uintptr_t>(text)); }
  void text(KeyTag tag, std::string_view bytes) {
    word(pack(tag, bytes.size()));
    for (std::size_t i = 0; i < bytes.size(); i += 8) {
      std::uint64_t w = 0;
      std::memcpy(&w, bytes.data() + i, std::min<std::size_t>(8, bytes.size() - i));
      word(w);
    }
  }
  void list(std::size_t items) { word(pack(KeyTag::kList, items)); }
  void dict(std::size_t pairs) { word(pack(KeyTag::kDict, pairs)); }
  void append_tensor(const TensorHead& head, const std::int64_t* sizes, const std::int64_t* strides) {
    const std::size_t words = 1 + 2 * std::size_t{head.dims};
    if (static_cast<std::size_t>(limit_ - end_) < words) grow(words);
    std::uint64_t* out = end_;
    end_ += words;
    *out++ = pack(KeyTag::kTensor, head);
    for (std::uint32_t i = 0; i < head.dims; ++i, ++out) {
      out[0] = static_cast<std::uint64_t>(sizes[i]);
      out[head.dims] = static_cast<std::uint64_t>(strides[i]);
    }
  }
  void append_layout_tensor(const TensorHead& head, const char* layout, const std::int64_t* sizes) {
    word(pack(KeyTag::kLayoutTensor, head));
    name_word(layout);
    for (std::uint32_t i = 0; head.has_shape && i < head.dims; ++i) word(static_cast<std::uint64_t>(sizes[i]));
  }

  const std::uint64_t* data() const { return begin_; }
  std::size_t size() const { return static_cast<std::size_t>(end_ - begin_); }

  KeyView view() const { return begin_of(size()); }
  /// Of the first words alone.
  KeyView begin_of(std::size_t words) const { return {begin_, words, hash_words(begin_, words)}; }

 private:
  /// Makes room for `words` more.
  [[gnu::noinline]] void grow(std::size_t words) {
    const std::size_t used = size();
    const std::size_t capacity = 2 * (used + words);
    auto* larger = new std::uint64_t[capacity];
    std::copy(begin_, end_, larger);
    if (begin_ != inline_.data()) delete[] begin_;
    begin_ = larger;
    end_ = larger + used;
    limit_ = larger + capacity;
  }

  std::array<std::uint64_t, 192> inline_;  // not filled with zeros first
  std::uint64_t* begin_ = inline_.data();
  std::uint64_t* end_ = begin_;
  std::uint64_t* limit_ = begin_ + inline_.size();
};

}  // namespace opcov
