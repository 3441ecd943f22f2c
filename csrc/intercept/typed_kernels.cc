#include "intercept/typed_kernels.h"

#include <ATen/Operators.h>
#include <c10/core/Backend.h>

#include <concepts>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "intercept/definition_hook.h"
#include "intercept/hooks.h"
#include "intercept/interception.h"
#include "intercept/kernels.h"
#include "intercept/typed_call.h"

namespace opcov {
namespace {

using c10::DispatchKey;
using c10::DispatchKeySet;

/// The kernels of one operator, whose C++ signature torch's own headers state. They differ in where they hand a call
/// on.
template <class Schema>
struct Typed;

template <class Ret, class... Args>
struct Typed<Ret(Args...)> {
  using Schema = Ret(Args...);

  class Hook : public c10::OperatorKernel {
   protected:
    explicit Hook(HookedOp& op) : op_(op), handle_(op.handle.typed<Schema>()) {}

    Ret intercept_and_run(DispatchKeySet keys, DispatchKeySet onward, Args... args) const {
      return intercept(
          op_, keys, /*is_typed=*/true, [&]() -> Ret { return run(onward, std::forward<Args>(args)...); },
          [&](ThreadState& thread) -> Ret { return record_call(thread, onward, std::forward<Args>(args)...); });
    }
    Ret run(DispatchKeySet onward, Args... args) const {
      return handle_.redispatch(onward, std::forward<Args>(args)...);
    }

    HookedOp& op_;

   private:
    [[gnu::noinline]] Ret record_call(ThreadState& thread, DispatchKeySet onward, Args... args) const {
      const auto run_once = [&]() -> Ret { return run(onward, std::forward<Args>(args)...); };
      return record(op_, TypedCall(op_, run_once, args...), thread);
    }

    const c10::TypedOperatorHandle<Schema> handle_;
  };

  class BackendSelect final : public Hook {
   public:
    explicit BackendSelect(HookedOp& op) : Hook(op) {}
    Ret operator()(DispatchKeySet keys, Args... args) {
      return this->intercept_and_run(keys, keys & kBelowBackendSelect, std::forward<Args>(args)...);
    }
  };

  class Composite final : public Hook {
   public:
    Composite(HookedOp& op, DispatchKey backend) : Hook(op), backend_(backend) {}
    Ret operator()(DispatchKeySet keys, Args... args) {
      if (!stays_composite(this->op_)) return this->run(keys, std::forward<Args>(args)...);
      return this->intercept_and_run(keys, DispatchKeySet(backend_), std::forward<Args>(args)...);
    }

   private:
    const DispatchKey backend_;
  };

  static DispatchKeySet backend_of(const Args&... args) {
    const auto all = std::tie(args...);
    const DispatchKeySet wanted(c10::computeDispatchKey(std::get<const std::optional<c10::ScalarType>&>(all),
                                                        std::get<const std::optional<c10::Layout>&>(all),
                                                        std::get<const std::optional<c10::Device>&>(all)));
    if constexpr (!(std::same_as<Args, const at::Tensor&> || ...)) return wanted;
    return c10::impl::computeDispatchKeySet(wanted | c10::detail::multi_dispatch_key_set(args...), kBelowBackendSelect);
  }

  template <class T>
  static constexpr bool kTakes = (std::same_as<std::optional<T>, Args> || ...);
  static constexpr bool kIsFactory = kTakes<c10::ScalarType> && kTakes<c10::Layout> && kTakes<c10::Device>;

  /// Looks for the backend as torch's own BackendSelect kernel does, by the functions that it calls.
  class Factory final : public Hook {
   public:
    explicit Factory(HookedOp& op) : Hook(op) {}
    Ret operator()(DispatchKeySet keys, Args... args) {
      const DispatchKeySet onward = backend_of(args...);
      return this->intercept_and_run(keys, onward, std::forward<Args>(args)...);
    }
  };
};

template <class Kernel, class... Args>
c10::KernelFunction make(Args&&... args) {
  return c10::KernelFunction::makeFromUnboxedFunctor<false, Kernel>(
      std::make_unique<Kernel>(std::forward<Args>(args)...));
}

template <class Schema>
TypedKernels kernels_of() {
  using Of = Typed<Schema>;
  TypedKernels kernels{};
  kernels.backend_select = [](HookedOp& op) { return make<typename Of::BackendSelect>(op); };
  kernels.composite = [](HookedOp& op, DispatchKey backend) { return make<typename Of::Composite>(op, backend); };
  if constexpr (Of::kIsFactory) kernels.factory = [](HookedOp& op) { return make<typename Of::Factory>(op); };
  return kernels;
}

template <class>
constexpr std::size_t kArity = 0;
template <class Ret, class... Args>
constexpr std::size_t kArity<Ret(Args...)> = sizeof...(Args);

struct Entry {
  TypedKernels kernels;
  std::size_t arity;
};

using Names = std::pair<std::string_view, std::string_view>;  // operator, overload

const std::map<Names, Entry>& entries() {
  // Never destroyed: operators may be defined while the process ends.
  static const auto* all = new std::map<Names, Entry>{
#define TYPED(op)                                     \
  {{at::_ops::op::name, at::_ops::op::overload_name}, \
   {kernels_of<at::_ops::op::schema>(), kArity<at::_ops::op::schema>}},
#include "intercept/typed_ops.inc"
#undef TYPED
  };
  return *all;
}

}  // namespace

const TypedKernels* typed_kernels(const c10::FunctionSchema& schema) {
  const auto found = entries().find({schema.name(), schema.overload_name()});
  // Somebody may have defined an operator of this name anew.
  if (found == entries().end() || found->second.arity != schema.arguments().size()) return nullptr;
  return &found->second.kernels;
}

}  // namespace opcov
