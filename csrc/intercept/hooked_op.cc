#include "intercept/hooked_op.h"

#include <ATen/core/jit_type.h>

#include <algorithm>
#include <array>
#include <bit>
#include <mutex>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "intercept/typed_kernels.h"

namespace opcov {
namespace {

/// One string a name for the life of the process, so that equal names are equal pointers.
const char* interned(const std::string& text) {
  static auto* mutex = new std::mutex;
  static auto* names = new std::unordered_set<std::string>;
  const std::lock_guard lock(*mutex);
  return names->insert(text).first->c_str();
}

ArgKind kind_of(const c10::TypePtr& declared) {
  c10::TypePtr type = declared;
  if (const auto optional = type->cast<c10::OptionalType>()) type = optional->getElementType();
  switch (type->kind()) {
    case c10::TypeKind::ScalarTypeType: return ArgKind::kDtype;
    case c10::TypeKind::LayoutType: return ArgKind::kLayout;
    case c10::TypeKind::MemoryFormatType: return ArgKind::kMemoryFormat;
    case c10::TypeKind::QSchemeType: return ArgKind::kQScheme;
    default: return ArgKind::kPlain;
  }
}

/// Arguments before it are positional.
std::size_t first_kwarg_of(const c10::FunctionSchema& schema) {
  const auto& arguments = schema.arguments();
  const auto last =
      std::find_if(arguments.rbegin(), arguments.rend(), [](const auto& arg) { return !arg.kwarg_only(); });
  return static_cast<std::size_t>(arguments.rend() - last);
}

/// By the schema: out= and in-place results.
bool is_written(const c10::Argument& result) {
  return result.alias_info() != nullptr && result.alias_info()->isWrite();
}

bool is_look_alike(std::string_view base) {
  constexpr std::array<std::string_view, 3> kBases = {"aten::addmm", "aten::mm", "aten::convolution"};
  return std::find(kBases.begin(), kBases.end(), base) != kBases.end();
}

std::string python_name(const std::string& base, const std::string& overload) {
  std::string name = base;
  if (const auto colons = name.find("::"); colons != std::string::npos) name.replace(colons, 2, ".");
  return name + "." + (overload.empty() ? "default" : overload);
}

}  // namespace

ArgFacts::ArgFacts(const char* arg_name, ArgKind arg_kind, std::optional<c10::IValue> given)
    : name(arg_name), kind(arg_kind), default_value(std::move(given)) {
  if (!default_value) return;
  const c10::IValue& value = *default_value;
  default_kind = DefaultKind::kOther;
  if (value.isNone()) default_kind = DefaultKind::kNone;
  if (value.isBool()) {
    default_kind = DefaultKind::kBool;
    default_bits = value.toBool() ? 1 : 0;
  } else if (value.isInt()) {
    default_kind = DefaultKind::kInt;
    default_bits = value.toInt();
  } else if (value.isDouble()) {
    default_kind = DefaultKind::kDouble;
    default_bits = std::bit_cast<std::int64_t>(value.toDouble());
  }
}

HookedOp::HookedOp(c10::OperatorHandle op, std::uint32_t op_index, bool may_be_typed)
    : handle(op),
      index(op_index),
      base(op.operator_name().name),
      overload(op.operator_name().overload_name),
      name(python_name(base, overload)),
      collective(base.starts_with("c10d::") || base.starts_with("_c10d_functional::")),
      look_alike(is_look_alike(base)),
      typed(may_be_typed ? typed_kernels(op.schema()) : nullptr) {
  const c10::FunctionSchema& declared = op.schema();
  first_kwarg = first_kwarg_of(declared);
  args.reserve(declared.arguments().size());
  for (const c10::Argument& arg : declared.arguments())
    args.emplace_back(interned(arg.name()), kind_of(arg.real_type()), arg.default_value());
  for (const c10::Argument& result : declared.returns()) {
    output_kinds.push_back(kind_of(result.real_type()));
    output_written.push_back(is_written(result));
  }
}

bool HookedOp::describes(const c10::FunctionSchema& schema) const {
  const auto& arguments = schema.arguments();
  const auto& results = schema.returns();
  if (arguments.size() != args.size() || results.size() != output_kinds.size() || first_kwarg != first_kwarg_of(schema))
    return false;
  for (std::size_t i = 0; i < args.size(); ++i)
    if (arguments[i].name() != args[i].name || kind_of(arguments[i].real_type()) != args[i].kind ||
        arguments[i].default_value() != args[i].default_value)
      return false;
  for (std::size_t i = 0; i < results.size(); ++i)
    if (kind_of(results[i].real_type()) != output_kinds[i] || is_written(results[i]) != output_written[i]) return false;
  return true;
}

bool HookedOp::records_in(std::uint32_t stage) const {
  const auto* allowed = stages.load(std::memory_order_acquire);
  return allowed != nullptr && std::find(allowed->begin(), allowed->end(), stage) != allowed->end();
}

}  // namespace opcov
