// Copies what the tensors of a call span, before the operator runs, without dispatching anything.
//
// Only the bytes between a tensor's first and last element are copied. Where spans overlap, they are copied together,
// so that arguments which share memory share it again. What is made of them keeps each tensor's offset as far as it is
// small, and its alignment in any case.
//
// Threads: any. Errors: throws NotCaptured.
#pragma once

#include <c10/core/TensorImpl.h>
#include <c10/util/ArrayRef.h>

#include "base/settings.h"
#include "intercept/capture/arguments_pickle.h"
#include "intercept/capture/capture_ledger.h"

namespace opcov {

/// `inputs`: the tensors that the call's key describes, and numbers among them, which it does not describe as tensors.
CopiedTensors copy_tensors(c10::ArrayRef<const c10::TensorImpl*> inputs, CaptureConfig::Values values,
                           CaptureLedger& ledger);

}  // namespace opcov
