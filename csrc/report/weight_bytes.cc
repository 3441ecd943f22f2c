#include "report/weight_bytes.h"

#include "format/signature.h"

namespace opcov {
namespace {

// Of all tensors in a value, however deep.
Amount bytes_in(const Json& value) {
  if (is_tensor(value)) {
    const auto tensor = strided_tensor(value);
    return tensor ? tensor->bytes() : Amount();
  }
  Amount sum = 0;
  if (value.is_structured())
    for (const Json& item : value) sum = plus(sum, bytes_in(item));
  return sum;
}

bool is_output(const Json& value, const Json& outputs) {
  if (value == outputs) return true;
  if (!outputs.is_array()) return false;
  for (const Json& output : outputs)
    if (value == output) return true;
  return false;
}

Amount bytes_read(const WeighedCall& call, std::size_t first) {
  const Json& signature = call.signature();
  const Json& args = signature.at("args");
  Amount sum = 0;
  for (std::size_t i = first; i < args.size(); ++i) sum = plus(sum, bytes_in(args[i]));
  for (const Json& value : signature.at("kwargs"))
    // A tensor that looks like an output is the place for it: out=.
    if (!is_tensor(value) || !is_output(value, signature.at("output"))) sum = plus(sum, bytes_in(value));
  return sum;
}

bool is_view(const WeighedCall& call) {
  const auto input = call.tensor(0);
  const auto output = call.output();
  // A copy is dense, and keeps the order: it is one only where the input is not.
  return input && output && (input->is_dense() || !output->is_dense());
}

}  // namespace

Amount moved_bytes(const WeighedCall& call, Traffic traffic) {
  const Amount written = bytes_in(call.signature().at("output"));
  switch (traffic) {
    case Traffic::kAll: return plus(bytes_read(call, 0), written);
    case Traffic::kNone: return 0;
    case Traffic::kOutputs: return written;
    case Traffic::kOverwrites: return plus(bytes_read(call, 1), written);
    case Traffic::kPicks: return plus(bytes_read(call, 1), times(2, written));
    case Traffic::kReshapes: return is_view(call) ? 0 : plus(bytes_read(call, 0), written);
  }
  return std::nullopt;
}

}  // namespace opcov
