// What a call key (call_key.h) says of a value, built without dispatching anything, without calling Python, and without
// keeping a tensor alive. boxed_call.h and typed_call.h walk a call's arguments and outputs with it.
//
// Threads: any; no state of its own. Errors: a value that cannot be described throws, which the caller counts as an
// unrecorded call.
#pragma once

#include <ATen/core/ivalue.h>
#include <c10/core/TensorImpl.h>
#include <c10/util/SmallVector.h>

#include "intercept/call_key.h"
#include "intercept/hooked_op.h"

namespace opcov {

struct CallDescription {
  CallKey key;
  c10::SmallVector<const c10::TensorImpl*, 16> inputs;  // addresses to compare, not to follow
  std::uint32_t devices = 0;                            // bit i: a tensor on device type i
  bool wraps = false;    // an argument is a wrapper whose plain tensors will come by on their own
  bool is_fake = false;  // on the meta device: no real call
};

/// Wrappers, numbers that met a tensor, and tensors without strides or shape.
void append_unusual_tensor(const c10::TensorImpl& tensor, CallDescription& call);

/// A Python number that met a tensor: read where it lies, since item() would dispatch. False where there is none.
bool append_wrapped_number(const c10::TensorImpl& tensor, CallKey& key);

/// What is noted of every tensor that is no number: its head, but for the shape, and that it was there.
inline TensorHead take_note_of(const c10::TensorImpl& tensor, CallDescription& call) {
  const c10::Device device = tensor.device();
  TensorHead head;
  head.dtype = static_cast<std::uint8_t>(c10::typeMetaToScalarType(tensor.dtype()));
  head.device_type = static_cast<std::uint8_t>(device.type());
  head.device_index = device.index();
  call.devices |= 1U << head.device_type;
  call.inputs.push_back(&tensor);
  return head;
}

inline void append_strided_tensor(const c10::TensorImpl& tensor, CallDescription& call) {
  const auto sizes = tensor.sizes();
  const auto strides = tensor.strides();
  TensorHead head = take_note_of(tensor, call);
  head.dims = static_cast<std::uint32_t>(sizes.size());
  call.key.append_tensor(head, sizes.data(), strides.data());
}

inline void append_tensor(const c10::TensorImpl& tensor, CallDescription& call) {
  using c10::DispatchKey;
  constexpr c10::DispatchKeySet kUnusual = c10::DispatchKeySet({DispatchKey::Python, DispatchKey::Functionalize,
                                                                DispatchKey::NestedTensor, DispatchKey::MkldnnCPU}) |
                                           c10::sparse_ks | c10::sparse_csr_ks |
                                           c10::DispatchKeySet(c10::BackendComponent::MetaBit);
  // Not has_any(), which in a debug build takes no set of backends and functionalities at once.
  const bool is_unusual = (tensor.key_set().raw_repr() & kUnusual.raw_repr()) != 0;
  if (is_unusual || tensor.is_wrapped_number()) return append_unusual_tensor(tensor, call);
  append_strided_tensor(tensor, call);
}

void append_value(const c10::IValue& value, ArgKind kind, CallDescription& call);

/// An integer, or the name of what it stands for.
void append_integer(std::int64_t value, ArgKind kind, CallKey& key);

/// A size that is no number yet: somebody traces.
inline void append_symbol(CallDescription& call) { call.is_fake = true; }

/// Tensors are never the same: comparing them would dispatch.
bool same_value(const c10::IValue& value, const c10::IValue& other);

inline bool is_default(const ArgFacts& arg, const c10::IValue& value) {
  switch (arg.default_kind) {
    case DefaultKind::kAbsent: return false;
    case DefaultKind::kNone: return value.isNone();
    case DefaultKind::kBool:
      if (value.isBool()) return value.toBool() == (arg.default_bits != 0);
      break;
    case DefaultKind::kInt:
      if (value.isInt()) return value.toInt() == arg.default_bits;
      break;
    default: break;
  }
  return same_value(*arg.default_value, value);
}

/// Tells whether outputs are inputs given back. To be made when the arguments are described and before the outputs.
class ReturnedInputs {
 public:
  explicit ReturnedInputs(CallDescription& call)
      : call_(call), n_inputs_(call.inputs.size()), seen_(call.inputs.size()) {
    if (n_inputs_ > kFew) sort_inputs();
  }

  /// To be called after each output; `written`: by the schema it is an input, and says nothing.
  void look_at_output(bool written) {
    for (; seen_ < call_.inputs.size(); ++seen_)
      if (!written) found_ |= is_input(call_.inputs[seen_]);
  }

  /// The key's last word.
  void conclude() { call_.key.word(found_ ? 1 : 0); }

 private:
  // Lists of thousands of tensors in and out must not be compared each with each.
  static constexpr std::size_t kFew = 16;
  void sort_inputs();
  bool is_among_sorted(const c10::TensorImpl* tensor) const;

  bool is_input(const c10::TensorImpl* tensor) const {
    if (n_inputs_ > kFew) return is_among_sorted(tensor);
    for (std::size_t i = 0; i < n_inputs_; ++i)
      if (call_.inputs[i] == tensor) return true;
    return false;
  }

  CallDescription& call_;
  const std::size_t n_inputs_;
  std::size_t seen_;
  bool found_ = false;
};

}  // namespace opcov
