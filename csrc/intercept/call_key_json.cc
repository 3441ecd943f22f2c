#include "intercept/call_key_json.h"

#include <cmath>
#include <stdexcept>
#include <string_view>

#include "intercept/call_key.h"
#include "intercept/torch_names.h"

namespace opcov {
namespace {

using Json = nlohmann::ordered_json;

class KeyReader {
 public:
  KeyReader(const std::uint64_t* words, std::size_t size) : words_(words), size_(size) {}

  std::uint64_t word() {
    if (at_ == size_) throw std::logic_error("opcov: a call key ends early");
    return words_[at_++];
  }

  Json value() {
    const std::uint64_t head = word();
    switch (tag_of(head)) {
      case KeyTag::kNone: return nullptr;
      case KeyTag::kBool: return payload_of(head) != 0;
      case KeyTag::kInt: return static_cast<std::int64_t>(word());
      case KeyTag::kDouble: return real();
      case KeyTag::kComplex: {
        Json re = real();
        return {{"complex", Json::array({std::move(re), real()})}};
      }
      case KeyTag::kString: return text(payload_of(head));
      case KeyTag::kObject: return {{"object", text(payload_of(head))}};
      case KeyTag::kName: return name();
      case KeyTag::kList: return items(payload_of(head));
      case KeyTag::kDict: {
        Json pairs = Json::array();
        for (std::uint64_t i = payload_of(head); i > 0; --i) pairs.push_back(items(2));
        return {{"dict", std::move(pairs)}};
      }
      case KeyTag::kTensor:
      case KeyTag::kLayoutTensor: return tensor(head);
    }
    throw std::logic_error("opcov: unknown tag in a call key");
  }

  const char* name() { return reinterpret_cast<const char*>(static_cast<std::uintptr_t>(word())); }

  Json items(std::uint64_t n) {
    Json list = Json::array();
    for (; n > 0; --n) list.push_back(value());
    return list;
  }

 private:
  Json real() {
    const double number = std::bit_cast<double>(word());
    if (std::isnan(number)) return {{"float", "nan"}};
    if (std::isinf(number)) return {{"float", number > 0 ? "inf" : "-inf"}};
    return number;
  }

  std::string text(std::uint64_t bytes) {
    std::string out;
    while (out.size() < bytes) {
      const std::uint64_t w = word();
      out.append(reinterpret_cast<const char*>(&w), std::min<std::size_t>(8, bytes - out.size()));
    }
    return out;
  }

  Json numbers(std::uint32_t n) {
    Json list = Json::array();
    for (; n > 0; --n) list.push_back(static_cast<std::int64_t>(word()));
    return list;
  }

  Json tensor(std::uint64_t head_word) {
    const TensorHead head = tensor_head_of(head_word);
    Json out = {{"dtype", dtype_name(head.dtype)}};
    if (tag_of(head_word) == KeyTag::kLayoutTensor) {
      out["layout"] = name();
      if (head.has_shape) out["shape"] = numbers(head.dims);
    } else {
      out["shape"] = numbers(head.dims);
      out["stride"] = numbers(head.dims);
    }
    std::string device = device_type_name(head.device_type);
    if (head.device_index >= 0) device += ":" + std::to_string(head.device_index);
    out["device"] = std::move(device);
    return out;
  }

  const std::uint64_t* words_;
  std::size_t size_;
  std::size_t at_ = 0;
};

}  // namespace

Json signature_json(const std::uint64_t* words, std::size_t size, const std::string& op, const std::string& stage) {
  KeyReader reader(words, size);
  reader.word();  // operator and stage, which the caller has resolved
  const std::uint64_t arity = reader.word();
  Json signature = Json::object();
  signature["args"] = reader.items(arity & 0xffffffffU);
  Json kwargs = Json::object();
  for (std::uint64_t i = arity >> 32U; i > 0; --i) {
    const char* name = reader.name();
    kwargs[name] = reader.value();
  }
  signature["kwargs"] = std::move(kwargs);
  signature["op"] = op;
  signature["output"] = reader.value();
  signature["stage"] = stage;
  return signature;
}

}  // namespace opcov
