// A call with its arguments as C++ values, as interception.h takes calls. Says of each value what describe.h says of
// the same value on the dispatcher's stack, word for word, without putting it there.
//
// Threads: each call on its own. Errors: what cannot be described throws.
#pragma once

#include <ATen/core/IListRef.h>
#include <ATen/core/Tensor.h>
#include <c10/core/Scalar.h>
#include <c10/core/SymIntArrayRef.h>
#include <c10/util/OptionalArrayRef.h>

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "intercept/describe.h"
#include "intercept/hooked_op.h"
#include "intercept/torch_names.h"

namespace opcov {
namespace typed {

template <class T>
concept Optional = requires(const T& value) {
  { value.has_value() } -> std::same_as<bool>;
  *value;
};
template <class T>
concept IntegerLike = std::same_as<T, std::int64_t> || std::same_as<T, c10::ScalarType> ||
    std::same_as<T, c10::Layout> || std::same_as<T, c10::MemoryFormat>;
template <class T>
concept IntegerList = std::same_as<T, c10::IntArrayRef> || std::same_as<T, c10::SymIntArrayRef>;
template <class T>
concept TensorList =
    std::same_as<T, at::ITensorListRef> || std::same_as<T, at::TensorList> || std::same_as<T, std::vector<at::Tensor>>;

// What a value looks like in a key. The first overload, which puts it into an IValue, is for types without one of their
// own.

template <class T>
void append(const T& value, ArgKind kind, CallDescription& call) {
  append_value(c10::IValue(value), kind, call);
}
inline void append(const at::Tensor& value, ArgKind, CallDescription& call) {
  value.defined() ? append_tensor(*value.unsafeGetTensorImpl(), call) : call.key.none();
}
inline void append(bool value, ArgKind, CallDescription& call) { call.key.boolean(value); }
inline void append(double value, ArgKind, CallDescription& call) { call.key.real(value); }
inline void append(std::int64_t value, ArgKind, CallDescription& call) { call.key.integer(value); }
inline void append(const c10::SymInt& value, ArgKind, CallDescription& call) {
  const auto number = value.maybe_as_int();
  number ? call.key.integer(*number) : append_symbol(call);
}
inline void append(c10::ScalarType value, ArgKind, CallDescription& call) {
  call.key.name(dtype_name(static_cast<std::uint8_t>(value)));
}
inline void append(c10::Layout value, ArgKind, CallDescription& call) {
  call.key.name(layout_name(static_cast<std::uint8_t>(value)));
}
inline void append(c10::MemoryFormat value, ArgKind, CallDescription& call) {
  call.key.name(memory_format_name(static_cast<std::uint8_t>(value)));
}
void append(const IntegerList auto& values, ArgKind kind, CallDescription& call) {
  call.key.list(values.size());
  for (const auto& value : values) append(value, kind, call);
}
void append(const TensorList auto& values, ArgKind kind, CallDescription& call) {
  call.key.list(values.size());
  for (const at::Tensor& value : values) append(value, kind, call);
}
void append(const Optional auto& value, ArgKind kind, CallDescription& call) {
  value.has_value() ? append(*value, kind, call) : call.key.none();
}

// Is a value what the schema gives where the program gives none? Only asked of arguments that have a default.

template <class T>
bool is_default(const ArgFacts& arg, const T& value) {
  return same_value(*arg.default_value, c10::IValue(value));
}
inline bool is_default(const ArgFacts&, const at::Tensor&) { return false; }
inline bool is_default(const ArgFacts& arg, bool value) {
  return arg.default_kind == DefaultKind::kBool && (arg.default_bits != 0) == value;
}
inline bool is_default(const ArgFacts& arg, double value) {
  return arg.default_kind == DefaultKind::kDouble && std::bit_cast<double>(arg.default_bits) == value;
}
bool is_default(const ArgFacts& arg, const IntegerLike auto& value) {
  return arg.default_kind == DefaultKind::kInt && arg.default_bits == static_cast<std::int64_t>(value);
}
inline bool is_default(const ArgFacts& arg, const c10::SymInt& value) {
  const auto number = value.maybe_as_int();
  return number && is_default(arg, *number);
}
inline bool same_integer(const c10::IValue& item, std::int64_t value) { return item.isInt() && item.toInt() == value; }
inline bool same_integer(const c10::IValue& item, const c10::SymInt& value) {
  const auto number = value.maybe_as_int();
  return number && same_integer(item, *number);
}
bool is_default(const ArgFacts& arg, const IntegerList auto& values) {
  if (!arg.default_value->isList()) return false;
  const auto items = arg.default_value->toListRef();
  return std::equal(items.begin(), items.end(), values.begin(), values.end(),
                    [](const c10::IValue& item, const auto& value) { return same_integer(item, value); });
}
bool is_default(const ArgFacts&, const TensorList auto&) { return false; }
bool is_default(const ArgFacts& arg, const Optional auto& value) {
  return value.has_value() ? is_default(arg, *value) : arg.default_kind == DefaultKind::kNone;
}

template <class T>
bool is_meta_device(const T& value) {
  if constexpr (std::same_as<T, std::optional<c10::Device>>) return value.has_value() && value->is_meta();
  if constexpr (std::same_as<T, c10::Device>) return value.is_meta();
  return false;
}

template <class T>
struct Outputs {
  static void append(const HookedOp& op, const T& value, CallDescription& call, ReturnedInputs& returned) {
    typed::append(value, op.output_kinds[0], call);
    returned.look_at_output(op.output_written[0]);
  }
};
template <class... T>
struct Outputs<std::tuple<T...>> {
  static void append(const HookedOp& op, const std::tuple<T...>& values, CallDescription& call,
                     ReturnedInputs& returned) {
    call.key.list(sizeof...(T));
    std::size_t i = 0;
    const auto one = [&](const auto& value) {
      typed::append(value, op.output_kinds[i], call);
      returned.look_at_output(op.output_written[i++]);
    };
    std::apply([&](const auto&... each) { (one(each), ...); }, values);
  }
};

}  // namespace typed

/// `Run` is called once, and may move from the arguments: they are described before.
template <class Run, class... Args>
class TypedCall {
 public:
  using Result = std::invoke_result_t<const Run&>;

  TypedCall(const HookedOp& op, const Run& run, const Args&... args) : op_(op), run_(run), args_(args...) {}

  Result run() const { return run_(); }

  bool asks_for_meta() const noexcept {
    return std::apply([](const auto&... each) { return (typed::is_meta_device(each) || ...); }, args_);
  }

  void describe_arguments(std::uint32_t stage, CallDescription& call) const {
    describe_arguments(stage, call, std::index_sequence_for<Args...>());
  }

  void describe_outputs(CallDescription& call) const {
    ReturnedInputs returned(call);
    call.key.none();
    returned.conclude();
  }
  template <class Outputs>
  void describe_outputs(const Outputs& outputs, CallDescription& call) const {
    ReturnedInputs returned(call);
    typed::Outputs<Outputs>::append(op_, outputs, call, returned);
    returned.conclude();
  }

 private:
  template <std::size_t i>
  bool is_default() const {
    const ArgFacts& arg = op_.args[i];
    return arg.default_kind != DefaultKind::kAbsent && typed::is_default(arg, std::get<i>(args_));
  }

  template <std::size_t... i>
  void describe_arguments(std::uint32_t stage, CallDescription& call, std::index_sequence<i...>) const {
    const std::array<bool, sizeof...(i)> defaults = {is_default<i>()...};
    std::size_t positional = op_.first_kwarg;
    while (positional > 0 && defaults[positional - 1]) --positional;
    std::size_t kwargs = 0;
    for (std::size_t j = op_.first_kwarg; j < sizeof...(i); ++j) kwargs += defaults[j] ? 0 : 1;

    call.key.begin(op_.index, stage);
    call.key.arity(positional, kwargs);
    const auto one = [&](std::size_t j, const auto& value) {
      if (j >= positional) {
        if (j < op_.first_kwarg || defaults[j]) return;
        call.key.name_word(op_.args[j].name);
      }
      typed::append(value, op_.args[j].kind, call);
    };
    (one(i, std::get<i>(args_)), ...);
  }

  const HookedOp& op_;
  const Run& run_;
  std::tuple<const Args&...> args_;
};

}  // namespace opcov
