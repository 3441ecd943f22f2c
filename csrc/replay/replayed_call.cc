#include "replay/replayed_call.h"

#include <algorithm>

#include "format/signature.h"
#include "snapshot/snapshot_reader.h"

namespace opcov {
namespace {

bool has_cuda_tensor(const Json& value) {
  if (is_tensor(value)) return value.value("device", std::string()).starts_with("cuda");
  return value.is_structured() && std::any_of(value.begin(), value.end(), has_cuda_tensor);
}

}  // namespace

bool uses_cuda(const Json& signature) {
  const Json& kwargs = signature.at("kwargs");
  return has_cuda_tensor(signature.at("args")) || std::any_of(kwargs.begin(), kwargs.end(), has_cuda_tensor) ||
         has_cuda_tensor(signature.value("output", Json())) || kwargs.value("device", Json()) == "cuda";
}

Json without_places(Json signature) {
  remove_places(signature);
  return signature;
}

}  // namespace opcov
