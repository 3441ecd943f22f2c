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

#include <c10/util/SmallVector.h>

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

/// Grows on the stack up to 192 words: 13 five-dimensional tensors.
class CallKey {
 public:
  void begin(std::uint32_t op, std::uint32_t stage) { words_.push_back(op | (std::uint64_t{stage} << 32U)); }
  void arity(std::size_t args, std::size_t kwargs) { words_.push_back(args | (std::uint64_t{kwargs} << 32U)); }
  void word(std::uint64_t w) { words_.push_back(w); }
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
    word(pack(KeyTag::kTensor, head));
    for (std::uint32_t i = 0; i < head.dims; ++i) word(static_cast<std::uint64_t>(sizes[i]));
    for (std::uint32_t i = 0; i < head.dims; ++i) word(static_cast<std::uint64_t>(strides[i]));
  }
  void append_layout_tensor(const TensorHead& head, const char* layout, const std::int64_t* sizes) {
    word(pack(KeyTag::kLayoutTensor, head));
    name_word(layout);
    for (std::uint32_t i = 0; head.has_shape && i < head.dims; ++i) word(static_cast<std::uint64_t>(sizes[i]));
  }

  const std::uint64_t* data() const { return words_.data(); }
  std::size_t size() const { return words_.size(); }
  std::uint64_t hash() const {
    std::uint64_t h = 0x9e3779b97f4a7c15U ^ words_.size();
    for (const std::uint64_t w : words_) {
      h = (h ^ w) * 0xff51afd7ed558ccdU;
      h ^= h >> 32U;
    }
    return h;
  }

 private:
  c10::SmallVector<std::uint64_t, 192> words_;
};

}  // namespace opcov
