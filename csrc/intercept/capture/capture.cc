#include "intercept/capture/capture.h"

#include <chrono>
#include <mutex>
#include <utility>

#include "base/say.h"
#include "format/strict_json.h"
#include "intercept/call_key.h"
#include "intercept/call_key_json.h"

namespace opcov {
namespace {

using State = SameArguments::State;

// Calls with the same arguments that are copied in vain before they are left alone.
constexpr int kMostAttempts = 16;
// The most a recording's end waits for a slow disk.
constexpr std::chrono::seconds kPatience{30};
// Arguments that a thread remembers at a time.
constexpr std::size_t kMostSettled = 100'000;

Json recorded(const KeyView& call, const CallNames& names) {
  const auto line = signature_json(call.words, call.size, names.name, names.stage);
  return parse_strict(line.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

/// As if the call had no output.
Json recorded_arguments(const KeyView& arguments, const CallNames& names) {
  std::vector<std::uint64_t> words(arguments.words, arguments.words + arguments.size);
  words.push_back(pack(KeyTag::kNone, 0));
  return recorded({words.data(), words.size(), 0}, names);
}

SnapshotValues stated(CaptureConfig::Values values) {
  if (values == CaptureConfig::Values::kKeep) return SnapshotValues::kOwn;
  return values == CaptureConfig::Values::kRandom ? SnapshotValues::kRandom : SnapshotValues::kNone;
}

bool returns_input(const KeyView& call) { return call.words[call.size - 1] != 0; }

}  // namespace

Capture::Capture(const CaptureConfig& config, std::shared_ptr<const WantedCalls> wanted)
    : values_(config.values),
      wanted_(std::move(wanted)),
      ledger_(std::make_shared<CaptureLedger>(config)),
      queue_(config, ledger_),
      met_entries_(wanted_->entries().size()) {}

SameArguments* Capture::begin(const KeyView& arguments, const CallNames& names, bool& settled) {
  const std::lock_guard lock(mutex_);
  SameArguments* same = arguments_.find(arguments).value;
  if (same == nullptr) {
    SameArguments found;
    bool wanted = wanted_->may_want(names.base, names.overload, names.stage);
    if (wanted && wanted_->needs_arguments()) {
      found.wanted = wanted_->wanted_with(arguments_digest(recorded_arguments(arguments, names)));
      wanted = *found.wanted > 0;
    }
    if (!wanted) found.state = State::kUnwanted;
    for (const std::size_t entry : wanted_->entries_for(names.base, names.overload, names.stage))
      met_entries_[entry] = true;
    same = arguments_.add(arguments, std::move(found)).value;
  }
  settled = same->state == State::kUnwanted || same->state == State::kSettled;
  if (same->state != State::kOpen) return nullptr;
  same->state = State::kUnderWay;
  return same;
}

void Capture::settle(SameArguments& arguments, const CaptureAttempt& attempt) {
  const bool all = arguments.wanted ? arguments.captured >= *arguments.wanted : arguments.captured > 0;
  if (attempt.copied) ++arguments.attempts;
  const bool over = all || attempt.for_good || arguments.attempts >= kMostAttempts;
  if (attempt.for_good) arguments.refusal = attempt.refusal;
  arguments.state = over ? State::kSettled : State::kOpen;
}

bool Capture::take(const Signature& signature, SameArguments& arguments, const CaptureAttempt& attempt) {
  const std::lock_guard lock(mutex_);
  const bool is_new = wanted_->wants(signature) && !taken_.contains(signature.digest);
  if (is_new && attempt.copied) taken_.insert(signature.digest);
  // Where another device's call of the same signature was first, there is nothing left to do either.
  if (wanted_->wants(signature) && attempt.copied) ++arguments.captured;
  settle(arguments, attempt);
  return is_new;
}

void Capture::finish(CaptureAttempt attempt, const KeyView& call, const CallNames& names, RankInfo rank) {
  if (returns_input(call)) {
    // No kernel ran: there is nothing to profile.
    attempt.for_good = true;
    return drop(std::move(attempt));
  }
  Signature signature = make_signature(recorded(call, names));
  if (wanted_->needs_arguments()) ledger_->met(signature.digest);
  const std::string name = listed_name(signature);
  if (!take(signature, *attempt.arguments, attempt)) {
    if (attempt.copied) ledger_->give_back(attempt.copied->bytes);
    return;
  }
  if (!attempt.copied) return ledger_->left_out(signature.digest, name, attempt.refusal);

  CopiedTensors& copied = *attempt.copied;
  const std::uint64_t bytes = copied.bytes;
  PendingSnapshot pending{{}, signature.digest, name, rank.world_size, bytes, std::move(copied.complete)};
  try {
    pending.snapshot.signature = signature.value();
    pending.snapshot.rank = rank.rank;
    pending.snapshot.values = stated(values_);
    add_arguments({attempt.key.data(), attempt.key.size(), 0}, std::move(copied.saved), pending.snapshot);
    queue_.push(std::move(pending));
  } catch (const std::exception& error) {
    ledger_->failed(signature.digest, bytes, name, error.what());
  }
}

void Capture::drop(CaptureAttempt attempt) noexcept {
  if (attempt.copied) ledger_->give_back(attempt.copied->bytes);
  const std::lock_guard lock(mutex_);
  settle(*attempt.arguments, attempt);
}

void Capture::met(const KeyView& arguments, const KeyView& call, const CallNames& names) {
  if (returns_input(call)) return;
  {
    const std::lock_guard lock(mutex_);
    const SameArguments* same = arguments_.find(arguments).value;
    if (same == nullptr || same->state != State::kSettled) return;
  }
  const Signature signature = make_signature(recorded(call, names));
  if (wanted_->needs_arguments()) ledger_->met(signature.digest);
  const std::lock_guard lock(mutex_);
  SameArguments& same = *arguments_.find(arguments).value;
  if (!wanted_->wants(signature) || taken_.contains(signature.digest)) return;
  const std::string name = listed_name(signature);
  if (!same.refusal.empty()) return ledger_->left_out(signature.digest, name, same.refusal);
  ledger_->left_out(signature.digest, name, "its arguments gave another output when they were copied");
  if (same.attempts >= kMostAttempts || same.state != State::kSettled) return;
  // The next call may give this output again.
  ++same.attempts;
  same.captured = 0;
  same.state = State::kOpen;
  generation_.fetch_add(1, std::memory_order_release);
}

void Capture::close() noexcept { queue_.finish(kPatience); }

/// Nothing where no call was looked at: such a process had nothing to capture.
std::vector<std::string> Capture::unmet_entries() {
  // A signal handler may have called exit() where this thread holds the lock.
  const std::unique_lock lock(mutex_, std::chrono::seconds(1));
  std::vector<std::string> unmet;
  if (!lock.owns_lock() || arguments_.size() == 0) return unmet;
  for (std::size_t i = 0; i < met_entries_.size(); ++i)
    if (!met_entries_[i]) unmet.push_back(wanted_->entries()[i]);
  return unmet;
}

std::vector<RunNotice> Capture::notices() {
  std::vector<RunNotice> all = ledger_->notices();
  for (const std::string& entry : unmet_entries()) {
    const std::string text = "OPCOV_CAPTURE entry '" + entry +
                             "' matches no recorded call of this process; look at its spelling, and whether OPCOV_OPS "
                             "selects it";
    if (!told_) say(text);
    all.push_back({"unmatched_capture", 1, text});
  }
  told_ = true;
  const std::vector<std::string> never = ledger_->not_met(wanted_->listed());
  if (!never.empty())
    all.push_back(
        {"not_called", never.size(), "uncovered in the report, and not called in this process: " + listed(never)});
  return all;
}

bool CaptureThread::is_settled(const KeyView& arguments) {
  if (const std::uint64_t now = capture.generation(); now != generation_ || settled_.size() >= kMostSettled) {
    settled_.clear();
    generation_ = now;
  }
  return settled_.find(arguments).key != nullptr;
}

void CaptureThread::settle(const KeyView& arguments) { settled_.add(arguments, true); }

}  // namespace opcov
