#include "replay/replayed_call.h"

#include <algorithm>

#include "format/signature.h"

namespace opcov {
namespace {

bool has_cuda_tensor(const Json& value) {
  if (is_tensor(value)) return value.value("device", std::string()).starts_with("cuda");
  return value.is_structured() && std::any_of(value.begin(), value.end(), has_cuda_tensor);
}

void remove_places(Json& value) {
  if (is_tensor(value)) {
    value.erase("place");
  } else if (value.is_structured()) {
    for (Json& inner : value) remove_places(inner);
  }
}

}  // namespace

bool uses_cuda(const Json& signature) {
  const Json& kwargs = signature.at("kwargs");
  return has_cuda_tensor(signature.at("args")) || std::any_of(kwargs.begin(), kwargs.end(), has_cuda_tensor) ||
         has_cuda_tensor(signature.value("output", Json())) || kwargs.value("device", Json()) == "cuda";
}

Json without_places(Json signature) {
  remove_devices(signature);
  for (const char* key : {"args", "output"})
    if (signature.contains(key)) remove_places(signature[key]);
  for (Json& value : signature["kwargs"]) remove_places(value);
  return signature;
}

}  // namespace opcov
