#include "base/settings.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <stdexcept>

#include "base/op_selector.h"

namespace opcov {
namespace {

constexpr std::string_view kDefaultOps = "aten::linear,aten::conv3d,aten::to.*";

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\n") - first + 1);
}

[[noreturn]] void bad_value(std::string_view name, std::string_view value, std::string_view want) {
  throw std::invalid_argument(std::string(name) + "=" + std::string(value) + " is not understood; it takes " +
                              std::string(want));
}

bool parse_switch(std::string_view name, std::string_view value) {
  if (value == "1" || value == "true" || value == "on" || value == "yes") return true;
  if (value == "0" || value == "false" || value == "off" || value == "no" || value.empty()) return false;
  bad_value(name, value, "1 or 0");
}

std::vector<StageRange> parse_stage_ranges(std::string_view value) {
  std::vector<StageRange> ranges;
  for (const std::string& entry : split_list(value)) {
    const auto equals = entry.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == entry.size())
      bad_value("OPCOV_STAGE_RANGES", value, "STAGE=GLOB,STAGE=GLOB");
    ranges.push_back({entry.substr(0, equals), entry.substr(equals + 1)});
  }
  return ranges;
}

std::vector<std::string> parse_operators(std::string_view name, std::string_view value) {
  if (value.find('=') != std::string_view::npos) bad_value(name, value, "GLOB,GLOB; no stage can stand in front");
  auto entries = split_list(value);
  OpSelector::check(entries);
  return entries;
}

std::vector<std::string> parse_devices(std::string_view value) {
  auto devices = split_list(value);
  for (const std::string& device : devices)
    if (device != "cuda" && device != "cpu") bad_value("OPCOV_DEVICES", value, "cuda, cpu or cuda,cpu");
  return devices;
}

std::string parse_stage(std::string_view value) {
  if (value.find_first_of("=,") != std::string_view::npos)
    bad_value("OPCOV_STAGE", value, "a stage name without '=' and ','");
  return std::string(value);
}

std::uint64_t parse_limit(std::string_view name, std::string_view value) {
  std::uint64_t limit = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), limit);
  if (error != std::errc{} || end != value.data() + value.size() || limit == 0)
    bad_value(name, value, "a whole number from 1");
  return limit;
}

void parse_capture(CaptureConfig& capture, std::string_view value) {
  constexpr std::string_view kMissing = "missing:";
  capture.on = !value.empty();
  const bool missing = value.starts_with(kMissing);
  if (value == kMissing)
    bad_value("OPCOV_CAPTURE", value, "missing:REPORT.json, all, or operators as OPCOV_OPS has them");
  capture.report = missing ? value.substr(kMissing.size()) : std::string_view();
  capture.ops = missing ? std::vector<std::string>() : split_list(value == "all" ? "*" : value);
  OpSelector::check(capture.ops);
}

CaptureConfig::Values parse_values(std::string_view value) {
  if (value == "keep" || value.empty()) return CaptureConfig::Values::kKeep;
  if (value == "none") return CaptureConfig::Values::kNone;
  if (value == "random") return CaptureConfig::Values::kRandom;
  bad_value("OPCOV_CAPTURE_VALUES", value, "keep, none or random");
}

bool parse_each_rank(std::string_view value) {
  if (value == "rank") return true;
  if (value == "job" || value.empty()) return false;
  bad_value("OPCOV_CAPTURE_PER", value, "job or rank");
}

void apply_capture(CaptureConfig& capture, std::string_view name, std::string_view value) {
  if (name == "OPCOV_CAPTURE") parse_capture(capture, value);
  if (name == "OPCOV_CAPTURE_DIR") capture.dir = value;
  if (name == "OPCOV_CAPTURE_PER") capture.each_rank = parse_each_rank(value);
  if (name == "OPCOV_CAPTURE_VALUES") capture.values = parse_values(value);
  if (name == "OPCOV_CAPTURE_MAX_COUNT") capture.max_count = parse_limit(name, value);
  if (name == "OPCOV_CAPTURE_MAX_BYTES") capture.max_bytes = parse_limit(name, value);
  if (name == "OPCOV_CAPTURE_MAX_SECONDS") capture.max_seconds = parse_limit(name, value);
}

void apply(Config& config, std::string_view name, std::string_view value) {
  if (name == "OPCOV") config.on = parse_switch(name, value);
  if (name == "OPCOV_DIR") config.dir = value.empty() ? std::string("opcov-records") : std::string(value);
  if (name == "OPCOV_OPS") config.ops = split_list(value);
  if (name == "OPCOV_NESTED") config.nested = parse_switch(name, value);
  if (name == "OPCOV_TYPED") config.typed = parse_switch(name, value);
  if (name == "OPCOV_NVTX") config.nvtx = parse_switch(name, value);
  if (name == "OPCOV_WHERE") config.where = parse_switch(name, value);
  if (name == "OPCOV_TRANSPARENT") config.transparent = parse_operators(name, value);
  if (name == "OPCOV_STAGE") config.stage = parse_stage(value);
  if (name == "OPCOV_STAGE_RANGES") config.stage_ranges = parse_stage_ranges(value);
  if (name == "OPCOV_MAX_SIGNATURES") config.max_signatures = parse_limit(name, value);
  if (name == "OPCOV_DEVICES") config.devices = parse_devices(value);
  apply_capture(config.capture, name, value);
}

}  // namespace

const std::vector<SettingInfo>& known_settings() {
  static const std::vector<SettingInfo> settings = {
      {"OPCOV", "1", "record this process from its start"},
      {"OPCOV_DIR", "FOLDER", "where record files go (default: opcov-records)"},
      {"OPCOV_OPS", "GLOB,STAGE=GLOB,@PRESET", "operators to record (default: aten::linear,aten::conv3d,aten::to.*)"},
      {"OPCOV_NESTED", "1", "count every dispatch, also those inside other operators"},
      {"OPCOV_TRANSPARENT", "GLOB,@PRESET", "operators that do not guard what runs inside them"},
      {"OPCOV_STAGE", "NAME", "the stage of threads that set none"},
      {"OPCOV_STAGE_RANGES", "STAGE=GLOB,..", "record_function ranges that are stages"},
      {"OPCOV_DEVICES", "cuda,cpu", "record only calls with a tensor on these devices (default: all)"},
      {"OPCOV_MAX_SIGNATURES", "N",
       "signatures a process tells apart; calls past them are counted together (default: 1000000)"},
      {"OPCOV_TYPED", "0", "take the arguments of every operator boxed; slower, with the same result"},
      {"OPCOV_CAPTURE", "missing:REPORT.json, all or GLOB,STAGE=GLOB", "save the inputs of calls as snapshots"},
      {"OPCOV_CAPTURE_DIR", "FOLDER", "where snapshots go (default: snapshots in OPCOV_DIR)"},
      {"OPCOV_CAPTURE_PER", "job or rank", "one snapshot of a signature for the job, or for each rank (default: job)"},
      {"OPCOV_CAPTURE_VALUES", "keep, none or random", "what snapshots say of tensors' values (default: keep)"},
      {"OPCOV_CAPTURE_MAX_COUNT", "N", "snapshots a process makes at most (default: 1000)"},
      {"OPCOV_CAPTURE_MAX_BYTES", "N", "bytes of snapshots a process makes at most (default: 16000000000)"},
      {"OPCOV_CAPTURE_MAX_SECONDS", "N", "seconds that calls wait for their inputs' copies at most (default: 60)"},
      {"OPCOV_NVTX", "1", "put each recorded call into an NVTX range, for profilers"},
      {"OPCOV_WHERE", "1", "note where in the code each signature is first called"},
      {"OPCOV_LIBRARY", "FILE", "the libopcov.so that the Python package loads (default: its own)"},
  };
  return settings;
}

Settings settings_from_environment() {
  Settings found;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const auto equals = text.find('=');
    if (equals == std::string_view::npos || equals + 1 == text.size()) continue;
    const std::string_view name = text.substr(0, equals);
    if (name == "OPCOV" || name.starts_with("OPCOV_"))
      found.emplace_back(std::string(name), std::string(text.substr(equals + 1)));
  }
  return found;
}

std::vector<std::string> split_list(std::string_view text) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const auto comma = std::min(text.find(','), text.size());
    const std::string_view part = trimmed(text.substr(0, comma));
    if (!part.empty()) parts.emplace_back(part);
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return parts;
}

Config parse_settings(const Settings& settings) {
  Config config;
  const auto& known = known_settings();
  for (const auto& [name, value] : settings) {
    const bool is_known = std::any_of(known.begin(), known.end(), [&](const auto& info) { return info.name == name; });
    if (!is_known) {
      std::string names;
      for (const auto& info : known) names += (names.empty() ? "" : ", ") + std::string(info.name);
      throw std::invalid_argument(name + " is no setting of opcov; there are " + names);
    }
    apply(config, name, trimmed(value));
  }
  if (config.ops.empty()) config.ops = split_list(kDefaultOps);
  OpSelector::check(config.ops);
  if (config.capture.dir.empty()) config.capture.dir = config.dir + "/snapshots";
  return config;
}

}  // namespace opcov
