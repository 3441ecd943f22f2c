// What `opcov top` shows: calls and calls per second between two looks at a job, by operator, signature and rank.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/sink.h"
#include "report/live_job.h"
#include "report/table.h"

namespace opcov {

struct LiveRate {
  std::uint64_t calls = 0;  // so far
  double per_second = 0;    // since the look before
};

/// Of all calls, of an operator's or of a signature's.
struct LiveRates {
  LiveRate all;
  std::vector<LiveRate> by_rank;  // in the order of LiveView::ranks
};

struct LiveOperator {
  std::string stage;
  std::string op;
  std::size_t signatures = 0;
  LiveRates rates;
};

enum class LiveCoverage { kNotCompared, kCovered, kUncovered, kNoKernel };

struct LiveSignature {
  const Signature* signature;
  LiveCoverage coverage;
  LiveRates rates;
};

struct LiveView {
  double seconds = 0;  // between the looks
  bool compared = false;
  std::size_t files = 0;
  std::size_t ended = 0;
  std::vector<std::uint64_t> ranks;
  std::vector<bool> ranks_ended;
  LiveRates rates;
  std::vector<LiveOperator> operators;    // by stage and name
  std::vector<LiveSignature> signatures;  // most calls per second first, then most calls
  std::vector<std::string> problems;
};

/// Points into `job`, of which `before` and `now` are samples.
LiveView live_view(const LiveSample& before, const LiveSample& now, LiveJob& job);

/// `height` lines at most where it is not 0; else `top` signatures in each list.
std::string live_text(const LiveView& view, std::size_t top, std::size_t height, const TextStyle& style);

/// One line of JSON with all of it.
std::string live_json(const LiveView& view);

}  // namespace opcov
