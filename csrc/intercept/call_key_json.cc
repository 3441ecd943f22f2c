#include "intercept/call_key_json.h"

#include <cmath>
#include <utility>

#include "intercept/call_key_reader.h"
#include "intercept/torch_names.h"

namespace opcov {
namespace {

using Json = nlohmann::ordered_json;

Json real(double number) {
  if (std::isnan(number)) return {{"float", "nan"}};
  if (std::isinf(number)) return {{"float", number > 0 ? "inf" : "-inf"}};
  return number;
}

Json tensor(std::uint64_t head_word, CallKeyReader& key) {
  const TensorHead head = tensor_head_of(head_word);
  Json out = {{"dtype", dtype_name(head.dtype)}};
  if (tag_of(head_word) == KeyTag::kLayoutTensor) {
    out["layout"] = key.name();
    if (head.has_shape) out["shape"] = key.numbers(head.dims);
  } else {
    out["shape"] = key.numbers(head.dims);
    out["stride"] = key.numbers(head.dims);
  }
  std::string device = device_type_name(head.device_type);
  if (head.device_index >= 0) device += ":" + std::to_string(head.device_index);
  out["device"] = std::move(device);
  return out;
}

Json value(CallKeyReader& key);

Json items(std::uint64_t n, CallKeyReader& key) {
  Json list = Json::array();
  for (; n > 0; --n) list.push_back(value(key));
  return list;
}

Json value(CallKeyReader& key) {
  const std::uint64_t head = key.word();
  switch (tag_of(head)) {
    case KeyTag::kNone: return nullptr;
    case KeyTag::kBool: return payload_of(head) != 0;
    case KeyTag::kInt: return static_cast<std::int64_t>(key.word());
    case KeyTag::kDouble: return real(key.real());
    case KeyTag::kComplex: {
      Json re = real(key.real());
      return {{"complex", Json::array({std::move(re), real(key.real())})}};
    }
    case KeyTag::kString: return key.text(payload_of(head));
    case KeyTag::kObject: return {{"object", key.text(payload_of(head))}};
    case KeyTag::kName: return key.name();
    case KeyTag::kList: return items(payload_of(head), key);
    case KeyTag::kDict: {
      Json pairs = Json::array();
      for (std::uint64_t i = payload_of(head); i > 0; --i) pairs.push_back(items(2, key));
      return {{"dict", std::move(pairs)}};
    }
    case KeyTag::kTensor:
    case KeyTag::kLayoutTensor: return tensor(head, key);
  }
  throw std::logic_error("opcov: unknown tag in a call key");
}

}  // namespace

Json signature_json(const std::uint64_t* words, std::size_t size, const std::string& op, const std::string& stage) {
  CallKeyReader reader(words, size);
  reader.word();  // operator and stage, which the caller has resolved
  const std::uint64_t arity = reader.word();
  Json signature = Json::object();
  signature["args"] = items(arity & 0xffffffffU, reader);
  Json kwargs = Json::object();
  for (std::uint64_t i = arity >> 32U; i > 0; --i) {
    const char* name = reader.name();
    kwargs[name] = value(reader);
  }
  signature["kwargs"] = std::move(kwargs);
  signature["op"] = op;
  signature["output"] = value(reader);
  signature["stage"] = stage;
  return signature;
}

}  // namespace opcov
