#include "replay/outcome.h"

#include <algorithm>
#include <array>
#include <cstdio>

#include "format/signature.h"

namespace opcov {
namespace {

using Status = Outcome::Status;

constexpr std::array kStatuses = {Status::kReplayed, Status::kDiffers, Status::kRefused, Status::kRaised};

const char* word(Status status) {
  switch (status) {
    case Status::kReplayed: return "replayed";
    case Status::kDiffers: return "differs";
    case Status::kRefused: return "refused";
    case Status::kRaised: return "raised";
  }
  return "";
}

std::string milliseconds(double seconds) {
  std::array<char, 32> text{};
  constexpr double kMilli = 1e3;
  std::snprintf(text.data(), text.size(), "%.3f ms", seconds * kMilli);
  return text.data();
}

std::string timing(std::vector<double> seconds) {
  if (seconds.empty()) return "not measured";
  std::sort(seconds.begin(), seconds.end());
  if (seconds.size() == 1) return milliseconds(seconds[0]);
  return milliseconds(seconds[seconds.size() / 2]) + " (" + std::to_string(seconds.size()) + " runs, " +
         milliseconds(seconds.front()) + " to " + milliseconds(seconds.back()) + ")";
}

std::size_t count(const std::vector<Outcome>& outcomes, Status status) {
  return static_cast<std::size_t>(
      std::count_if(outcomes.begin(), outcomes.end(), [status](const Outcome& one) { return one.status == status; }));
}

}  // namespace

ExitCode Outcome::exit_code() const {
  switch (status) {
    case Status::kReplayed: return ExitCode::kDone;
    case Status::kDiffers: return ExitCode::kNo;
    case Status::kRefused: return ExitCode::kBadInput;
    case Status::kRaised: return ExitCode::kFailure;
  }
  return ExitCode::kFailure;
}

std::string outcome_text(const Outcome& outcome) {
  std::string text = outcome.digest.substr(0, kShortDigest);
  for (const std::string& part : {outcome.stage, outcome.op})
    if (!part.empty()) text += (text.empty() ? "" : " ") + part;
  if (!outcome.snapshot.empty()) text += (text.empty() ? "" : " ") + outcome.snapshot;
  text += std::string(": ") + word(outcome.status);
  if (outcome.status != Status::kReplayed) return text + ": " + outcome.reason;
  return text + " on " + outcome.device + (outcome.snapshot.empty() ? ", made inputs, " : ", ") +
         timing(outcome.seconds);
}

OrderedJson outcome_json(const Outcome& outcome) {
  OrderedJson json = {
      {"signature_sha256", outcome.digest}, {"op", outcome.op},          {"stage", outcome.stage},
      {"snapshot", outcome.snapshot},       {"device", outcome.device},  {"status", word(outcome.status)},
      {"reason", outcome.reason},           {"seconds", outcome.seconds}};
  for (const char* key : {"signature_sha256", "op", "snapshot", "device", "reason"})
    if (json[key] == "") json[key] = nullptr;
  return json;
}

std::string summary_text(const std::vector<Outcome>& outcomes) {
  std::string text = std::to_string(outcomes.size()) + (outcomes.size() == 1 ? " call: " : " calls: ");
  text += std::to_string(count(outcomes, Status::kReplayed)) + " replayed";
  for (const Status status : kStatuses)
    if (status != Status::kReplayed && count(outcomes, status) > 0)
      text += ", " + std::to_string(count(outcomes, status)) + " " + word(status);
  return text;
}

OrderedJson summary_json(const std::vector<Outcome>& outcomes) {
  OrderedJson json = OrderedJson::object();
  OrderedJson& calls = json["calls"] = OrderedJson::array();
  for (const Outcome& outcome : outcomes) calls.push_back(outcome_json(outcome));
  for (const Status status : kStatuses) json[word(status)] = count(outcomes, status);
  return json;
}

}  // namespace opcov
