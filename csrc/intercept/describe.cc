#include "intercept/describe.h"

#include <ATen/core/Dict.h>
#include <ATen/core/Tensor.h>

#include <algorithm>
#include <string>

#include "intercept/torch_names.h"

namespace opcov {
namespace {

std::uint8_t device_code(c10::DeviceType type) { return static_cast<std::uint8_t>(type); }

void append_object(const c10::IValue& value, CallKey& key) {
  if (value.isGenerator()) return key.text(KeyTag::kObject, "Generator");
  if (value.isStorage()) return key.text(KeyTag::kObject, "UntypedStorage");
  if (value.isStream()) return key.text(KeyTag::kObject, "Stream");
  if (value.isPyObject()) return key.text(KeyTag::kObject, "PyObject");
  key.text(KeyTag::kObject, value.type()->annotation_str());
}

void append_items(c10::ArrayRef<c10::IValue> items, ArgKind kind, CallDescription& call) {
  call.key.list(items.size());
  for (const c10::IValue& item : items) append_value(item, kind, call);
}

}  // namespace

bool append_wrapped_number(const c10::TensorImpl& tensor, CallKey& key) {
  if (!tensor.is_wrapped_number() || tensor.numel() != 1 || !tensor.has_storage() || !tensor.device().is_cpu())
    return false;
  const void* data = tensor.data();
  if (data == nullptr) return false;
  switch (c10::typeMetaToScalarType(tensor.dtype())) {
    case c10::ScalarType::Double: key.real(*static_cast<const double*>(data)); return true;
    case c10::ScalarType::Float: key.real(*static_cast<const float*>(data)); return true;
    case c10::ScalarType::Long: key.integer(*static_cast<const std::int64_t*>(data)); return true;
    case c10::ScalarType::Bool: key.boolean(*static_cast<const bool*>(data)); return true;
    case c10::ScalarType::ComplexDouble: {
      const auto value = *static_cast<const c10::complex<double>*>(data);
      const bool conjugated = tensor.key_set().has(c10::DispatchKey::Conjugate);
      key.complex(value.real(), conjugated ? -value.imag() : value.imag());
      return true;
    }
    default: return false;
  }
}

void append_unusual_tensor(const c10::TensorImpl& tensor, CallDescription& call) {
  const c10::DispatchKeySet keys = tensor.key_set();
  if (keys.has(c10::DispatchKey::Python) || keys.has(c10::DispatchKey::Functionalize)) call.wraps = true;
  if (keys.has_backend(c10::BackendComponent::MetaBit)) call.is_fake = true;
  if (call.wraps || call.is_fake) return;  // its sizes may be symbols, or Python's to answer
  if (append_wrapped_number(tensor, call.key)) {
    call.inputs.push_back(&tensor);
    return;
  }
  const bool nested = keys.has(c10::DispatchKey::NestedTensor);
  const c10::Layout layout = tensor.layout();
  if (layout == c10::Layout::Strided && !nested) return append_strided_tensor(tensor, call);

  TensorHead head = take_note_of(tensor, call);
  head.has_shape = !nested;
  const auto sizes = head.has_shape ? tensor.sizes() : c10::IntArrayRef{};
  head.dims = static_cast<std::uint32_t>(sizes.size());
  call.key.append_layout_tensor(head, layout_name(static_cast<std::uint8_t>(layout)), sizes.data());
}

void append_integer(std::int64_t value, ArgKind kind, CallKey& key) {
  const auto code = static_cast<std::uint8_t>(value);
  switch (kind) {
    case ArgKind::kPlain: key.integer(value); return;
    case ArgKind::kDtype: key.name(dtype_name(code)); return;
    case ArgKind::kLayout: key.name(layout_name(code)); return;
    case ArgKind::kMemoryFormat: key.name(memory_format_name(code)); return;
    case ArgKind::kQScheme: key.name(qscheme_name(code)); return;
  }
}

void append_value(const c10::IValue& value, ArgKind kind, CallDescription& call) {
  CallKey& key = call.key;
  if (value.isTensor()) {
    const c10::TensorImpl* tensor = value.unsafeToTensorImpl();
    if (tensor == c10::UndefinedTensorImpl::singleton()) return key.none();
    return append_tensor(*tensor, call);
  }
  if (value.isNone()) return key.none();
  if (value.isInt()) return append_integer(value.toInt(), kind, key);
  if (value.isBool()) return key.boolean(value.toBool());
  if (value.isDouble()) return key.real(value.toDouble());
  if (value.isList()) return append_items(value.toListRef(), kind, call);
  if (value.isComplexDouble()) {
    const auto number = value.toComplexDouble();
    return key.complex(number.real(), number.imag());
  }
  if (value.isString()) return key.text(KeyTag::kString, value.toStringRef());
  if (value.isDevice()) return key.name(device_type_name(device_code(value.toDevice().type())));
  if (value.isTuple()) return append_items(value.toTupleRef().elements(), kind, call);
  if (value.isSymInt() || value.isSymFloat() || value.isSymBool()) return append_symbol(call);
  if (value.isGenericDict()) {
    const auto dict = value.toGenericDict();
    key.dict(dict.size());
    for (const auto& entry : dict) {
      append_value(entry.key(), ArgKind::kPlain, call);
      append_value(entry.value(), kind, call);
    }
    return;
  }
  append_object(value, key);
}

bool same_value(const c10::IValue& value, const c10::IValue& other) {
  if (value.isTensor() || other.isTensor()) return false;  // comparing tensors would dispatch
  if (value.isNone() || other.isNone()) return value.isNone() && other.isNone();
  if (value.isInt() && other.isInt()) return value.toInt() == other.toInt();
  return value == other;
}

void ReturnedInputs::sort_inputs() { std::sort(call_.inputs.begin(), call_.inputs.end()); }

bool ReturnedInputs::is_among_sorted(const c10::TensorImpl* tensor) const {
  const auto inputs = c10::ArrayRef<const c10::TensorImpl*>(call_.inputs).slice(0, n_inputs_);
  return std::binary_search(inputs.begin(), inputs.end(), tensor);
}

}  // namespace opcov
