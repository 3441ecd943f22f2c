// What the recorder knows of one operator: how its calls are described, and what the present recording wants of it.
//
// One HookedOp an operator, made when its hook is placed and never freed: kernels in the dispatcher point to it.
// Threads: everything but what is atomic is constant after construction.
#pragma once

#include <ATen/core/dispatch/Dispatcher.h>

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace opcov {

struct TypedKernels;

/// What the present recording wants of an operator.
enum class Role : std::uint8_t {
  kGuard,        // not recorded; nothing inside it counts
  kTransparent,  // as if it were not hooked
  kRecord,       // recorded, in every stage
  kRecordInStages,
};

/// What stands behind an integer, by the schema: the dispatcher passes enumerations as integers.
enum class ArgKind : std::uint8_t { kPlain, kDtype, kLayout, kMemoryFormat, kQScheme };

/// The schema's default, for a look at each call. kOther: see ArgFacts::default_value.
enum class DefaultKind : std::uint8_t { kAbsent, kNone, kBool, kInt, kDouble, kOther };

struct ArgFacts {
  ArgFacts(const char* arg_name, ArgKind arg_kind, std::optional<c10::IValue> given);

  const char* name;
  ArgKind kind;
  DefaultKind default_kind = DefaultKind::kAbsent;
  std::int64_t default_bits = 0;  // of a bool, an int or a double
  std::optional<c10::IValue> default_value;
};

struct HookedOp {
  /// `may_be_typed`: its hooks may take C++ values, where there are kernels for that.
  HookedOp(c10::OperatorHandle handle, std::uint32_t index, bool may_be_typed);

  const c10::OperatorHandle handle;
  const std::uint32_t index;
  const std::string base;      // "aten::linear"
  const std::string overload;  // "" for the default one
  const std::string name;      // "aten.linear.default"

  std::vector<ArgFacts> args;
  std::size_t first_kwarg = 0;  // args before it are positional
  std::vector<ArgKind> output_kinds;
  std::vector<bool> output_written;  // by the schema: out= and in-place results
  bool collective = false;           // of torch.distributed: while one runs, the rank is known
  bool look_alike = false;           // what `linear` and `conv3d` become where they cannot be seen

  const TypedKernels* const typed;  // null: its hooks take their arguments boxed

  std::atomic<Role> role{Role::kGuard};
  std::atomic<bool> transparent{false};                            // recorded, but no guard for what runs inside
  std::atomic<const std::vector<std::uint32_t>*> stages{nullptr};  // for kRecordInStages

  /// registrations_of() when the autograd hooks were last found to be right, and these hooks' handles (hooks.h).
  std::atomic<std::size_t> registrations{0};
  std::vector<c10::RegistrationHandleRAII> autograd_hooks;
  std::optional<c10::RegistrationHandleRAII> backend_select_hook;
  // Another thread may be about to call a kernel when it is taken out: all are kept for good.
  std::vector<c10::KernelFunction> kernels;
  std::atomic<bool> composite{false};  // has such hooks: taken apart at the autograd key where they do not stand

  std::atomic<std::uint64_t> unrecorded_calls{0};  // of a look-alike, outside other operators

  /// Looked at although it is only guarded.
  bool is_watched() const { return collective || look_alike; }

  bool records_in(std::uint32_t stage) const;

  /// Calls by this schema are described as they were by the one when the hook was placed.
  bool describes(const c10::FunctionSchema& schema) const;
};

}  // namespace opcov
