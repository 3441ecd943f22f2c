// Whose values the tensors in a snapshot have.
#pragma once

namespace opcov {

/// In the order of what a replay gains from them.
enum class SnapshotValues {
  kNone,    // structure alone
  kRandom,  // made up where the call was captured, without knowing what the operator needs
  kOwn,     // the call's
};

}  // namespace opcov
