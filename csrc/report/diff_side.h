// One of the two things that `opcov diff` compares: records, or a report that was made of some.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "format/findings.h"
#include "format/signature.h"
#include "report/profiled_inputs.h"

namespace opcov {

struct DiffRow {
  Signature signature;
  std::uint64_t calls = 0;
  std::optional<bool> covered;  // nothing where calls were compared with no inputs
};

struct DiffSide {
  std::string name;
  std::vector<DiffRow> rows;  // by digest
  std::uint64_t calls = 0;
  bool compared = false;  // each row says whether it is covered
  std::vector<Finding> warnings;
};

/// `name` leads to records, or is a report's, which its content shows. Coverage is by `inputs` where there are any,
/// else as a report states it. Throws Error (kBadInput).
DiffSide load_side(const std::string& name, const ProfiledInputs& inputs);

}  // namespace opcov
