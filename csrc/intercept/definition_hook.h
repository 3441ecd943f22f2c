// What of an operator's entry in the dispatcher is not open to everybody.
//
// Placing a kernel at the moment an operator is defined, so that not even its first call is missed: a registration
// listener runs while the dispatcher's lock is held: Dispatcher::registerImpl would wait for that lock for ever.
// OperatorEntry::registerKernel is what registerImpl itself calls once it has the lock, and asks for nothing else; it
// is reached through TypedOperatorHandle, which the dispatcher's classes name as their friend.
#pragma once

#include <ATen/core/dispatch/Dispatcher.h>

namespace opcov {

/// To be called from OpRegistrationListener::onOperatorRegistered only. The kernel stays for good.
void register_kernel_under_lock(const c10::OperatorHandle& op, c10::DispatchKey key, c10::KernelFunction kernel);

/// How many definitions and kernels the operator has had. Kernels are registered without a word to listeners: a number
/// that changed is the sign that somebody added one. May be read beside a registration.
std::size_t registrations_of(const c10::OperatorHandle& op);

}  // namespace opcov
