#include "replay/tensor_maker.h"

#include <ATen/ops/_conj.h>
#include <ATen/ops/_neg_view.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_strided.h>
#include <ATen/ops/from_blob.h>

#include <memory>
#include <utility>
#include <vector>

#include "base/error.h"
#include "intercept/torch_names.h"
#include "replay/fill_tensor.h"
#include "snapshot/random_access_file.h"

namespace opcov {
namespace {

std::vector<std::int64_t> numbers(const Json& tensor, const char* key) {
  return tensor.at(key).get<std::vector<std::int64_t>>();
}

void check_can_be_made(const Json& tensor) {
  if (!tensor.contains("shape")) throw bad_input("a nested tensor cannot be made again: its signature has no sizes");
  if (tensor.contains("layout"))
    throw bad_input("a tensor of the layout " + tensor.at("layout").get<std::string>() +
                    " cannot be made again from its structure");
  if (c10::isQIntType(dtype_of(tensor.at("dtype"))))
    throw bad_input("a quantised tensor cannot be made again: its signature has no scales");
}

/// The bytes of the storage, which live as long as the tensor.
at::Tensor bytes_in_file(const std::string& path, const StoredBytes& stored) {
  auto bytes = std::make_shared<std::string>(RandomAccessFile(path).read(stored.offset, stored.bytes));
  return at::from_blob(
      bytes->data(), {static_cast<std::int64_t>(bytes->size())}, [bytes](void*) {}, at::kByte);
}

}  // namespace

c10::ScalarType dtype_of(const std::string& name) {
  for (std::uint8_t i = 0; i < static_cast<std::uint8_t>(c10::ScalarType::NumOptions); ++i)
    if (name == dtype_name(i)) return static_cast<c10::ScalarType>(i);
  throw bad_input("this torch has no dtype " + name);
}

TensorMaker::TensorMaker(const ReplayedCall& call, c10::Device device, std::uint64_t seed)
    : call_(call), device_(device), seed_(seed), uses_cuda_(uses_cuda(call.signature)) {}

void TensorMaker::begin() {
  made_ = 0;
  storages_.clear();
}

c10::Device TensorMaker::device_of(const std::string& type) const {
  if (type == "meta") return c10::Device(c10::kMeta);
  const bool stays = uses_cuda_ && type.starts_with("cpu");
  return stays ? c10::Device(c10::kCPU) : device_;
}

at::Tensor TensorMaker::storage(const std::string& key, c10::Device device) {
  const auto found = storages_.find(key);
  if (found != storages_.end()) return found->second;
  auto in_file = in_file_.find(key);
  if (in_file == in_file_.end())
    in_file = in_file_.emplace(key, bytes_in_file(call_.snapshot, call_.storages.at(key))).first;
  at::Tensor own = at::empty({in_file->second.numel()}, at::TensorOptions(at::kByte).device(device));
  own.copy_(in_file->second);
  return storages_.emplace(key, std::move(own)).first->second;
}

at::Tensor TensorMaker::read(const Json& tensor) {
  check_can_be_made(tensor);
  const Json& place = tensor.at("place");
  const at::Tensor bytes = storage(place.at("storage"), device_of(tensor.at("device")));
  at::Tensor made = at::empty({0}, bytes.options().dtype(dtype_of(tensor.at("dtype"))));
  made.set_(bytes.storage(), place.at("offset").get<std::int64_t>(), numbers(tensor, "shape"),
            numbers(tensor, "stride"));
  if (place.at("conjugate").get<bool>()) made = at::_conj(made);
  if (place.at("negative").get<bool>()) made = at::_neg_view(made);
  return made;
}

at::Tensor TensorMaker::make(const Json& tensor, const MadeValues& values) {
  check_can_be_made(tensor);
  const auto options =
      at::TensorOptions(dtype_of(tensor.at("dtype"))).device(device_of(tensor.value("device", std::string("cuda"))));
  at::Tensor made = at::empty_strided(numbers(tensor, "shape"), numbers(tensor, "stride"), options);
  if (values.storage_elements > 0 && made.storage().nbytes() < values.storage_elements * made.itemsize())
    made.set_(at::empty({values.storage_elements}, options).storage(), 0, made.sizes().vec(), made.strides().vec());
  fill_tensor(made, values, seed_ + made_++ * 0x100000001);
  return made;
}

}  // namespace opcov
