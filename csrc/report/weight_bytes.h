// How many bytes of tensors one call has to move at least: each input read once, each output written once.
#pragma once

#include "report/weight_call.h"

namespace opcov {

enum class Traffic {
  kAll,         // every tensor argument is read, every output written
  kNone,        // a view, or memory that nobody fills
  kOutputs,     // nothing is read
  kOverwrites,  // argument 0 is written and not read
  kPicks,       // of argument 0 no more is read than the output holds
  kReshapes,    // a view where the strides allow for one, else a copy
};

Amount moved_bytes(const WeighedCall& call, Traffic traffic);

}  // namespace opcov
