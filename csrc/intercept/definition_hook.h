// Places a kernel at the moment an operator is defined, so that not even its first call is missed.
//
// A registration listener runs while the dispatcher's lock is held: Dispatcher::registerImpl would wait for that lock
// for ever. OperatorEntry::registerKernel is what registerImpl itself calls once it has the lock, and asks for nothing
// else; it is reached through TypedOperatorHandle, which the dispatcher's classes name as their friend.
#pragma once

#include <ATen/core/dispatch/Dispatcher.h>

namespace opcov {

/// To be called from OpRegistrationListener::onOperatorRegistered only. The kernel stays for good.
void register_kernel_under_lock(const c10::OperatorHandle& op, c10::DispatchKey key, c10::KernelFunction kernel);

}  // namespace opcov
