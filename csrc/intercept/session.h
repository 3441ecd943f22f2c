// One recording: its record file, its signatures and their counts, from start() to stop().
//
// Threads: any. Everything is guarded by mutex(), which is held across the one write() of a new signature and never
// while an operator runs; counters already handed out are added to without it. Errors: nothing throws; a file that
// cannot be made or written ends the recording with one line on stderr. The file is made at the first recorded call.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/launcher_env.h"
#include "base/settings.h"
#include "format/counts_writer.h"
#include "format/record_writer.h"
#include "intercept/fork_mutex.h"
#include "intercept/key_table.h"
#include "intercept/run_notice.h"

namespace opcov {

class Capture;
class WantedCalls;

/// A call whose signature a thread meets for the first time. `op` is its printed name.
struct NewCall {
  KeyView key;
  const std::string& op;
  std::uint32_t stage;
  bool returns_input;
  std::string_view where = {};  // JSON text of its `where` line; empty for none
};

struct KnownSignature {
  const std::uint64_t* key;  // lives as long as the session
  std::uint64_t id;
};

class Session {
 public:
  /// `wanted`: what is to be captured; null where nothing is.
  Session(Config config, std::uint64_t serial, std::optional<RankInfo> given_rank,
          std::shared_ptr<const WantedCalls> wanted);
  ~Session();

  const Config& config() const { return config_; }
  std::uint64_t serial() const { return serial_; }
  std::uint32_t devices() const { return devices_; }  // bit i: device type i is recorded; 0: all are
  const std::shared_ptr<const WantedCalls>& wanted() const { return wanted_; }
  Capture* capture() const { return capture_.get(); }
  bool ended() const { return ended_.load(std::memory_order_acquire); }

  /// The signature's id; its line is in the file by then. None where the recording ended, or where it is one too many:
  /// then the call is counted as overflow.
  std::optional<KnownSignature> signature(const NewCall& call) noexcept;

  /// Would signature() write one for a call with this key?
  bool is_new(const KeyView& key) noexcept;

  /// Counts calls under the lock, for a thread that has no memory for a counter of its own, or of a graph.
  void count_locked(std::uint64_t id, std::uint64_t calls = 1) noexcept;

  /// A call that was captured into a CUDA graph; and the line that says how many were so far.
  void count_captured(const NewCall& call) noexcept;
  void write_captured() noexcept;
  bool has_captured() noexcept;

  void raised(const std::string& op) noexcept;
  void undescribed(const std::string& op, const char* reason) noexcept;

  /// What somebody else knows that no call shows; a later one of the same kind and text replaces an earlier one.
  void note(const std::string& kind, const std::string& text, std::uint64_t count) noexcept;

  CountsBlock* take_block(std::uint64_t first_id);
  void give_back_block(CountsBlock* block);

  void set_rank(RankInfo rank) noexcept;

  /// torch.distributed is in use: asks it for the rank, unless it was learned from there before.
  void learn_rank() noexcept;
  void flush(const std::vector<RunNotice>& notices) noexcept;

  /// Waits a while for inputs that are being saved, writes the last lines and ends. `process_ends`: CUDA is not to be
  /// asked for anything any more. A file is made for the notices alone where there are some.
  void finish(const std::vector<RunNotice>& notices, bool process_ends) noexcept;

  /// Ends, and removes what was written.
  void discard() noexcept;

  std::uint64_t calls() noexcept;
  std::string path();
  RankInfo rank();
  ForkMutex& mutex() { return mutex_; }

 private:
  bool open_file();
  bool append(const nlohmann::ordered_json& line);
  bool append_text(std::string text);
  void append_counts();
  void append_captured();
  void append_notices(const std::vector<RunNotice>& notices);
  void append_notice(const RunNotice& notice);
  void append_rank(bool ask_torch);
  void append_gpus();
  void fail(const std::string& reason);
  RankInfo present_rank(bool ask_torch);

  const Config config_;
  const std::uint64_t serial_;
  const std::string started_at_;
  const std::shared_ptr<const WantedCalls> wanted_;
  const std::unique_ptr<Capture> capture_;
  std::uint32_t devices_ = 0;
  std::atomic<bool> ended_{false};

  ForkMutex mutex_;
  std::optional<RankInfo> given_rank_;
  std::atomic<bool> rank_learned_{false};  // from torch.distributed
  RankInfo written_rank_;
  bool gpus_written_ = false;
  std::unique_ptr<RecordWriter> file_;
  std::unique_ptr<CountsWriter> counts_;
  KeyTable<std::uint64_t> ids_;
  std::map<std::uint64_t, std::vector<CountsBlock*>> free_blocks_;
  std::map<std::uint64_t, CountsBlock*> shared_blocks_;  // of count_locked()
  std::map<std::uint64_t, std::uint64_t> captured_;      // by id
  std::map<std::string, std::uint64_t> raised_;
  std::string first_undescribed_;
  std::map<std::pair<std::string, std::string>, std::uint64_t> noted_;  // by kind and text
};

}  // namespace opcov
