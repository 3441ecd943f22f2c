#include "intercept/session.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <mutex>
#include <nlohmann/json.hpp>
#include <numeric>
#include <utility>

#include "base/say.h"
#include "format/notice_kinds.h"
#include "intercept/call_key_json.h"
#include "intercept/capture/capture.h"
#include "intercept/run_facts.h"
#include "intercept/stages.h"
#include "intercept/thread_counts.h"
#include "intercept/torch_names.h"

namespace opcov {
namespace {

using OrderedJson = nlohmann::ordered_json;

/// With microseconds: by this alone readers tell two recordings of one process apart. Not by gmtime_r(): it takes a
/// lock, which another thread may have held when this process was forked.
std::string utc_now() {
  using namespace std::chrono;
  const auto now = floor<microseconds>(system_clock::now());
  const auto today = floor<days>(now);
  const year_month_day date(today);
  const hh_mm_ss time(now - today);
  char text[64];
  std::snprintf(text, sizeof text, "%04d-%02u-%02uT%02d:%02d:%02d.%06dZ", static_cast<int>(date.year()),
                static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                static_cast<int>(time.hours().count()), static_cast<int>(time.minutes().count()),
                static_cast<int>(time.seconds().count()), static_cast<int>(time.subseconds().count()));
  return text;
}

std::string host_name() {
  char name[256] = "";
  gethostname(name, sizeof name - 1);
  return name;
}

std::uint32_t device_bits(const std::vector<std::string>& names) {
  std::uint32_t bits = 0;
  for (std::uint8_t type = 0; type < 32; ++type)
    for (const std::string& name : names)
      if (name == device_type_name(type)) bits |= 1U << type;
  return bits;
}

OrderedJson environment_json(const RunFacts& facts) {
  OrderedJson environment = OrderedJson::object();
  for (const auto& [name, value] : facts.flags) environment[name] = value;
  for (const auto& [name, value] : facts.settings) environment[name] = value;
  if (!facts.gpus.empty()) environment["gpus"] = facts.gpus;
  return environment;
}

// Readers refuse lines of many megabytes.
constexpr std::size_t kCountsALine = 100'000;

OrderedJson counts_json(const std::vector<std::uint64_t>& totals, std::size_t first, std::size_t last) {
  OrderedJson calls = OrderedJson::object();
  // Not by operator[], which looks through all that is there.
  auto& pairs = calls.get_ref<OrderedJson::object_t&>();
  for (std::size_t id = first; id < last; ++id)
    if (totals[id] > 0) pairs.emplace_back(std::to_string(id), totals[id]);
  return calls;
}

// Bytes that are no UTF-8 can stand in a string argument or a stage; the line must be readable all the same.
std::string text_of(const OrderedJson& line) {
  return line.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

// It goes with the signature's line, in one write().
std::string where_line(std::uint64_t id, std::string_view where) {
  if (where.empty()) return {};
  return "\n{\"record\":\"where\",\"id\":" + std::to_string(id) + ",\"where\":" + std::string(where) + "}";
}

bool is_power_of_two(std::uint64_t n) { return (n & (n - 1)) == 0; }

}  // namespace

Session::Session(Config config, std::uint64_t serial, std::optional<RankInfo> given_rank,
                 std::shared_ptr<const WantedCalls> wanted)
    : config_(std::move(config)),
      serial_(serial),
      started_at_(utc_now()),
      wanted_(std::move(wanted)),
      capture_(wanted_ == nullptr ? nullptr : std::make_unique<Capture>(config_.capture, wanted_)),
      devices_(device_bits(config_.devices)),
      given_rank_(given_rank) {}

Session::~Session() = default;

std::optional<KnownSignature> Session::signature(const NewCall& call) noexcept try {
  const std::lock_guard lock(mutex_);
  if (ended()) return std::nullopt;
  if (const auto known = ids_.find(call.key); known.key != nullptr) return KnownSignature{known.key, *known.value};
  if (ids_.size() >= config_.max_signatures) {
    if (counts_->overflow() == 0)
      say("more than " + std::to_string(config_.max_signatures) +
          " signatures: calls of further ones are counted together; OPCOV_MAX_SIGNATURES sets the limit");
    counts_->count_overflow();
    return std::nullopt;
  }

  if (file_ == nullptr && !open_file()) return std::nullopt;
  const std::uint64_t id = ids_.size();
  OrderedJson line = {{"record", "signature"},
                      {"id", id},
                      {"signature", signature_json(call.key.words, call.key.size, call.op, stage_name(call.stage))}};
  if (call.returns_input) line["returns_input"] = true;
  if (!append_text(text_of(line) + where_line(id, call.where))) return std::nullopt;
  const std::uint64_t* key = ids_.add(call.key, id).key;
  // torch.distributed may come up after the first call; asking at every signature would cost too much.
  if (is_power_of_two(ids_.size())) append_rank(/*ask_torch=*/true);
  return KnownSignature{key, id};
} catch (const std::exception& error) {
  say(std::string("recording is off: ") + error.what());
  ended_ = true;
  return std::nullopt;
}

bool Session::open_file() {
  std::string error;
  const RankInfo rank = present_rank(/*ask_torch=*/true);
  const long pid = getpid();
  file_ = RecordWriter::create(config_.dir, rank.rank, pid, error);
  if (file_ == nullptr) {
    fail(error);
    return false;
  }
  counts_ = std::make_unique<CountsWriter>(file_->counts_path(), pid);
  written_rank_ = rank;
  const RunFacts facts = run_facts();
  gpus_written_ = !facts.gpus.empty();
  return append({{"record", "header"},
                 {"format", "opcov-metadata"},
                 {"version", 1},
                 {"rank", rank.rank},
                 {"world_size", rank.world_size},
                 {"local_rank", local_rank_from_launcher()},
                 {"pid", pid},
                 {"host", host_name()},
                 {"torch", facts.torch},
                 {"ops", config_.ops},
                 {"started_at", started_at_},
                 {"opcov", OPCOV_VERSION},
                 {"environment", environment_json(facts)}});
}

bool Session::is_new(const KeyView& key) noexcept {
  const std::lock_guard lock(mutex_);
  return !ended() && ids_.size() < config_.max_signatures && ids_.find(key).key == nullptr;
}

bool Session::append(const OrderedJson& line) { return append_text(text_of(line)); }

bool Session::append_text(std::string text) {
  if (file_->append(std::move(text))) return true;
  fail(file_->error());
  return false;
}

void Session::fail(const std::string& reason) {
  if (!ended_.exchange(true)) say(reason + "; recording is off, the program goes on");
}

RankInfo Session::present_rank(bool ask_torch) {
  if (given_rank_) return *given_rank_;
  if (ask_torch)
    if (const auto rank = distributed_rank()) {
      rank_learned_.store(true, std::memory_order_relaxed);
      return *rank;
    }
  // What torch.distributed once said stays, also after its group is destroyed.
  if (file_ != nullptr) return written_rank_;
  return rank_from_launcher().value_or(RankInfo{});
}

void Session::append_rank(bool ask_torch) {
  const RankInfo rank = present_rank(ask_torch);
  if (rank == written_rank_) return;
  if (append({{"record", "rank"}, {"rank", rank.rank}, {"world_size", rank.world_size}})) written_rank_ = rank;
}

void Session::append_gpus() {
  if (gpus_written_) return;
  const RunFacts facts = run_facts();
  if (facts.gpus.empty()) return;
  gpus_written_ = append({{"record", "environment"}, {"environment", environment_json(facts)}});
}

void Session::append_counts() {
  const auto totals = counts_->totals(ids_.size());
  std::size_t first = 0;
  do {
    const std::size_t last = std::min(first + kCountsALine, totals.size());
    append({{"record", "calls"}, {"calls", counts_json(totals, first, last)}});
    first = last;
  } while (first < totals.size());
  append_captured();
  if (!raised_.empty()) append({{"record", "raised"}, {"ops", raised_}});
}

void Session::append_captured() {
  if (captured_.empty()) return;
  OrderedJson calls = OrderedJson::object();
  for (const auto& [id, count] : captured_) calls[std::to_string(id)] = count;
  append({{"record", "captured"}, {"calls", calls}});
}

void Session::append_notice(const RunNotice& notice) {
  append({{"record", "notice"}, {"kind", notice.kind}, {"count", notice.count}, {"text", notice.text}});
}

void Session::append_notices(const std::vector<RunNotice>& notices) {
  for (const RunNotice& notice : notices) append_notice(notice);
  for (const auto& [notice, count] : noted_) append_notice({notice.first, count, notice.second});
  if (counts_->undescribed() > 0) append_notice({"undescribed", counts_->undescribed(), first_undescribed_});
  if (counts_->overflow() > 0) append_notice({kOverflowKind, counts_->overflow(), kOverflowText});
  if (!counts_->durable()) append_notice({"counts_in_memory", 1, counts_->error()});
}

CountsBlock* Session::take_block(std::uint64_t first_id) {
  const std::lock_guard lock(mutex_);
  const auto found = free_blocks_.find(first_id);
  if (found == free_blocks_.end() || found->second.empty()) return counts_->add_block(first_id);
  CountsBlock* block = found->second.back();
  found->second.pop_back();
  return block;
}

void Session::give_back_block(CountsBlock* block) {
  const std::lock_guard lock(mutex_);
  free_blocks_[block->first_id].push_back(block);
}

void Session::count_locked(std::uint64_t id, std::uint64_t calls) noexcept try {
  const std::lock_guard lock(mutex_);
  CountsBlock*& block = shared_blocks_[id - id % kCountsPerBlock];
  if (block == nullptr) block = counts_->add_block(id - id % kCountsPerBlock);
  ThreadCounts::add(&block->counts[id % kCountsPerBlock], calls);
} catch (const std::exception& error) {
  say(std::string("a call was not counted: ") + error.what());
}

void Session::count_captured(const NewCall& call) noexcept try {
  const auto known = signature(call);
  if (!known) return;
  const std::lock_guard lock(mutex_);
  ++captured_[known->id];
} catch (...) {
  return;
}

bool Session::has_captured() noexcept {
  const std::lock_guard lock(mutex_);
  return !captured_.empty();
}

void Session::write_captured() noexcept try {
  const std::lock_guard lock(mutex_);
  if (file_ != nullptr && !ended()) append_captured();
} catch (const std::exception& error) {
  say(error.what());
}

void Session::raised(const std::string& op) noexcept try {
  const std::lock_guard lock(mutex_);
  ++raised_[op];
} catch (...) {
  return;  // out of memory while the host handles its own exception: nothing to add to that
}

void Session::undescribed(const std::string& op, const char* reason) noexcept try {
  const std::lock_guard lock(mutex_);
  if (ended() || (file_ == nullptr && !open_file())) return;
  if (first_undescribed_.empty()) first_undescribed_ = "first: " + op + ": " + reason;
  counts_->count_undescribed();
} catch (...) {
  return;
}

void Session::note(const std::string& kind, const std::string& text, std::uint64_t count) noexcept try {
  const std::lock_guard lock(mutex_);
  noted_[{kind, text}] = count;
} catch (...) {
  return;
}

void Session::set_rank(RankInfo rank) noexcept try {
  const std::lock_guard lock(mutex_);
  given_rank_ = rank;
  if (file_ != nullptr && !ended()) append_rank(/*ask_torch=*/false);
} catch (const std::exception& error) {
  say(error.what());
}

void Session::learn_rank() noexcept try {
  if (rank_learned_.load(std::memory_order_relaxed)) return;
  const std::lock_guard lock(mutex_);
  if (file_ == nullptr || ended()) return;
  append_rank(/*ask_torch=*/true);
} catch (const std::exception& error) {
  say(error.what());
}

void Session::flush(const std::vector<RunNotice>& notices) noexcept try {
  const std::lock_guard lock(mutex_);
  if (file_ == nullptr || ended()) return;
  append_rank(/*ask_torch=*/true);
  append_gpus();
  append_counts();
  append_notices(notices);
} catch (const std::exception& error) {
  say(error.what());
}

void Session::finish(const std::vector<RunNotice>& notices, bool process_ends) noexcept try {
  if (capture_ != nullptr) capture_->close();  // which waits for a disk: not under the lock
  const std::lock_guard lock(mutex_);
  if (ended()) return;
  if (file_ == nullptr && ((notices.empty() && noted_.empty()) || !open_file())) {
    ended_ = true;
    return;
  }
  append_rank(/*ask_torch=*/true);
  if (!process_ends) append_gpus();
  append_counts();
  append_notices(notices);
  if (capture_ != nullptr)
    for (const RunNotice& notice : capture_->notices()) append_notice(notice);
  if (file_->unlinked()) fail("the record file " + file_->path() + " was removed while it was written");
  // The sidecar goes only once the counts stand in the record.
  if (!ended() && append({{"record", "end"}, {"unrecorded", counts_->undescribed()}})) counts_->unlink();
  ended_ = true;
} catch (const std::exception& error) {
  ended_ = true;
  say(error.what());
}

void Session::discard() noexcept {
  if (capture_ != nullptr) capture_->close();
  const std::lock_guard lock(mutex_);
  ended_ = true;
  if (file_ == nullptr) return;
  counts_->unlink();
  unlink(file_->path().c_str());
}

std::uint64_t Session::calls() noexcept try {
  const std::lock_guard lock(mutex_);
  if (counts_ == nullptr) return 0;
  const auto totals = counts_->totals(ids_.size());
  return std::accumulate(totals.begin(), totals.end(), std::uint64_t{0});
} catch (...) {
  return 0;
}

RankInfo Session::rank() {
  const std::lock_guard lock(mutex_);
  return written_rank_;
}

std::string Session::path() {
  const std::lock_guard lock(mutex_);
  return file_ == nullptr ? "" : file_->path();
}

}  // namespace opcov
