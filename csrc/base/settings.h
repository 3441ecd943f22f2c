// The one registry of opcov's environment variables. Whatever switches or shapes a recording is named here and read
// here; nothing else in the project calls getenv for an OPCOV_* name.
//
// Settings come from the environment or from opcov::start(); both go through parse_settings(), so that a Config in
// hand is always a valid one.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace opcov {

using Settings = std::vector<std::pair<std::string, std::string>>;  // the same type as in opcov/opcov.h

struct SettingInfo {
  std::string_view name;
  std::string_view value;  // what to write behind the '='
  std::string_view help;
};

/// Every variable opcov knows, in the order in which help lists them.
const std::vector<SettingInfo>& known_settings();

/// `dit=Transformer*`: record_function ranges whose name matches the glob belong to the stage.
struct StageRange {
  std::string stage;
  std::string glob;
};

/// Which inputs of recorded calls become snapshots, and how many of them at most.
struct CaptureConfig {
  enum class Values { kKeep, kNone, kRandom };

  bool on = false;
  std::string report;            // a report's uncovered signatures; empty: those that `ops` selects
  std::vector<std::string> ops;  // as OPCOV_OPS has them
  std::string dir;
  bool each_rank = false;  // a snapshot of a signature for each rank that calls it, not one for the job
  Values values = Values::kKeep;
  std::uint64_t max_count = 1'000;
  std::uint64_t max_bytes = 16'000'000'000;
  std::uint64_t max_seconds = 60;
};

struct Config {
  bool on = false;
  std::string dir = "opcov-records";
  std::vector<std::string> ops;  // OPCOV_OPS as given, entry by entry
  bool nested = false;
  bool typed = true;
  bool nvtx = false;
  bool where = false;
  std::vector<std::string> transparent;
  std::string stage;
  std::vector<StageRange> stage_ranges;
  std::vector<std::string> devices;  // empty: all
  std::uint64_t max_signatures = 1'000'000;
  CaptureConfig capture;
};

/// Every variable of this process's environment that begins with OPCOV and is not empty.
Settings settings_from_environment();

/// A later entry of one name replaces an earlier one. Throws std::invalid_argument with one line that names the right
/// ones, on an unknown name or a bad value.
Config parse_settings(const Settings& settings);

/// "a, b,,c" -> {"a","b","c"}.
std::vector<std::string> split_list(std::string_view text);

}  // namespace opcov
