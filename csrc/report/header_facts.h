// What the headers of a run's record files say of it: each distinct statement once.
//
// A header is a file's word: what has another type than expected is left out, and so is what exceeds a bound.
#pragma once

#include <cstddef>
#include <set>
#include <string>

#include "format/strict_json.h"

namespace opcov {

struct HeaderFacts {
  static constexpr std::size_t kMost = 100;  // of one kind

  void add(const Json& header);

  std::set<std::string> torch;
  std::set<std::string> recorders;  // versions of opcov
  std::set<std::string> hosts;
  std::set<std::string> gpus;
  std::set<std::string> operators;  // each header's list, its entries joined by commas as in OPCOV_OPS
  std::set<std::string> settings;   // "cudnn_benchmark: false"
};

}  // namespace opcov
