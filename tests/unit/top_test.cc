// A running job as `opcov top` sees it: counts that grow in a sidecar, files that appear and end.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <tuple>

#include "format/counts_writer.h"
#include "report/live_view.h"
#include "support.h"

namespace opcov {
namespace {

using test::calls_line;
using test::header;
using test::kEnd;
using test::linear;
using test::signature_line;

void expect_in(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << part << "\nis not in\n" << text;
}

// What a recorder does to its files.
class FakeRank {
 public:
  FakeRank(const test::TempDir& dir, int rank)
      : dir_(dir),
        name_("r/metadata_rank" + std::to_string(rank) + "_pid1"),
        text_(header(rank, ",\"pid\":1")),
        counts_((dir.write(name_ + ".jsonl", text_), dir.path(name_ + ".counts")), 1),
        block_(counts_.add_block(0)) {}

  void add_signature(const std::string& signature, const std::string& more = "") {
    write(signature_line(signatures_++, signature, more));
  }
  void count(int id, std::uint64_t calls) { block_->counts[id] += calls; }
  void write(const std::string& lines) { dir_.write(name_ + ".jsonl", text_ += lines); }
  void end() {
    std::string calls;
    for (int id = 0; id < signatures_; ++id)
      calls += (id > 0 ? ",\"" : "\"") + std::to_string(id) + "\":" + std::to_string(block_->counts[id]);
    write(calls_line(calls) + kEnd);
    counts_.unlink();
  }

 private:
  const test::TempDir& dir_;
  std::string name_;
  std::string text_;
  CountsWriter counts_;
  CountsBlock* block_;
  int signatures_ = 0;
};

class Top : public testing::Test {
 protected:
  Top() { std::filesystem::create_directory(dir_.path("r")); }

  LiveView look(LiveJob& job) {
    LiveSample now = job.sample();
    LiveView view = live_view(before_, now, job);
    before_ = std::move(now);
    return view;
  }

  // Calls since the look before.
  static std::uint64_t grown(const LiveView& view, const LiveRate& rate) {
    return static_cast<std::uint64_t>(rate.per_second * view.seconds + 0.5);
  }

  test::TempDir dir_;
  ProfiledInputs inputs_;
  LiveSample before_{
      .at = std::chrono::steady_clock::now() - std::chrono::seconds(1), .signatures = {}, .ranks = {}, .problems = {}};
};

TEST_F(Top, CountsWhatGrowsInTheSidecar) {
  FakeRank rank(dir_, 0);
  rank.add_signature(linear(1));
  rank.count(0, 5);
  LiveJob job({dir_.path("r")}, inputs_);
  EXPECT_EQ(look(job).rates.all.calls, 5u);
  rank.count(0, 7);
  const LiveView more = look(job);
  EXPECT_EQ(more.rates.all.calls, 12u);
  EXPECT_EQ(grown(more, more.rates.all), 7u);
  const LiveView idle = look(job);
  EXPECT_EQ(idle.rates.all.calls, 12u);
  EXPECT_EQ(idle.rates.all.per_second, 0);
}

TEST_F(Top, TakesInNewSignaturesRanksAndEnds) {
  LiveJob job({dir_.path("r")}, inputs_);
  EXPECT_TRUE(look(job).signatures.empty());
  FakeRank first(dir_, 0);
  first.add_signature(linear(1));
  first.count(0, 5);
  EXPECT_EQ(look(job).ranks, std::vector<std::uint64_t>{0});
  FakeRank second(dir_, 1);
  second.add_signature(linear(2, "vae"));
  second.add_signature(linear(1));
  second.count(0, 4);
  second.count(1, 3);
  first.add_signature(linear(3));
  first.count(1, 2);
  const LiveView view = look(job);
  EXPECT_EQ(view.ranks, (std::vector<std::uint64_t>{0, 1}));
  ASSERT_EQ(view.operators.size(), 2u);
  EXPECT_EQ(view.operators[0].stage, "dit");
  EXPECT_EQ(view.operators[0].signatures, 2u);
  EXPECT_EQ(view.operators[0].rates.all.calls, 10u);
  EXPECT_EQ(view.operators[0].rates.by_rank[0].calls, 7u);
  EXPECT_EQ(view.operators[0].rates.by_rank[1].calls, 3u);
  EXPECT_EQ(grown(view, view.operators[0].rates.by_rank[0]), 2u);
  EXPECT_EQ(view.operators[1].rates.all.calls, 4u);
  EXPECT_EQ(view.signatures.front().signature->stage, "vae");  // it grew most
  EXPECT_EQ(view.ended, 0u);
  first.count(0, 1);
  first.end();
  const LiveView after = look(job);
  EXPECT_EQ(after.ended, 1u);
  EXPECT_EQ(after.ranks_ended, (std::vector<bool>{true, false}));
  EXPECT_EQ(after.rates.by_rank[0].calls, 8u);
  EXPECT_EQ(look(job).rates.all.calls, 15u);
}

TEST_F(Top, SaysWhatIsUncovered) {
  inputs_.snapshots.add({"a.pt", ""}, parse_strict(linear(1, "dit", "")));
  inputs_.files = {"a.pt"};
  FakeRank rank(dir_, 0);
  rank.add_signature(linear(1));
  rank.add_signature(linear(2));
  rank.add_signature(linear(3), ",\"returns_input\":true");
  for (int id = 0; id < 3; ++id) rank.count(id, 10);
  LiveJob job({dir_.path("r")}, inputs_);
  const LiveView view = look(job);
  const std::string text = live_text(view, 10, 0, {});
  expect_in(text, "30 calls in 3 signatures on 1 rank; 1 record file, 0 ended; uncovered: 1 signature with 10 calls\n");
  expect_in(text, "  covered    dit    linear(bf16[1,4], bf16[4,4]) -> bf16[1,4]\n");
  expect_in(text, "  uncovered  dit    linear(bf16[2,4], bf16[4,4]) -> bf16[2,4]\n");
  expect_in(text, "  no kernel  dit    linear(bf16[3,4], bf16[4,4]) -> bf16[3,4]\n");
  const std::string list = text.substr(text.find("Uncovered signatures with most calls\n"));
  EXPECT_EQ(std::count(list.begin(), list.end(), '\n'), 3);
}

TEST_F(Top, AFileThatCannotBeReadIsAProblemUntilItCan) {
  FakeRank rank(dir_, 0);
  rank.add_signature(linear(1));
  rank.count(0, 5);
  dir_.write("r/metadata_rank1_pid2.jsonl", "junk\n");
  LiveJob job({dir_.path("r")}, inputs_);
  const LiveView view = look(job);
  EXPECT_EQ(view.rates.all.calls, 5u);
  ASSERT_EQ(view.problems.size(), 1u);
  expect_in(view.problems[0], "metadata_rank1_pid2.jsonl:1: ");
  expect_in(live_text(view, 10, 0, {}), "problem: ");
  dir_.write("r/metadata_rank1_pid2.jsonl", header(1) + signature_line(0, linear(1)) + calls_line("\"0\":2") + kEnd);
  EXPECT_TRUE(look(job).problems.empty());
  EXPECT_EQ(look(job).rates.all.calls, 7u);
}

TEST_F(Top, ATornLineIsReadWhenItIsWhole) {
  FakeRank rank(dir_, 0);
  const std::string line = signature_line(0, linear(1));
  rank.write(line.substr(0, 50));
  LiveJob job({dir_.path("r")}, inputs_);
  EXPECT_TRUE(look(job).problems.empty());
  rank.write(line.substr(50));
  rank.count(0, 5);
  EXPECT_EQ(look(job).rates.all.calls, 5u);
}

TEST_F(Top, ManyRanksAreShownByTheSlowestAndTheFastest) {
  LiveView view;
  for (std::uint64_t rank = 0; rank < 9; ++rank) {
    view.ranks.push_back(rank * 10);
    view.ranks_ended.push_back(rank == 1);
    view.rates.by_rank.push_back({0, static_cast<double>(rank == 4 ? 1000 : 100 - rank)});
  }
  view.rates.all.per_second = 12345.6;
  const std::string text = live_text(view, 10, 0, {});
  expect_in(text, "calls/s  slowest rank  fastest rank\n");
  expect_in(text, " 12,346     92.0 (80)    1,000 (40)\n");
  view.ranks.pop_back();
  view.rates.by_rank.pop_back();
  expect_in(live_text(view, 10, 0, {}), "calls/s  rank 0  rank 10 (ended)  rank 20");
}

TEST_F(Top, KeepsToTheHeightAndWidthOfATerminal) {
  FakeRank rank(dir_, 0);
  for (int i = 0; i < 50; ++i) rank.add_signature(linear(i + 1));
  for (int i = 0; i < 50; ++i) rank.count(i, 1);
  inputs_.files = {"none.pt"};
  LiveJob job({dir_.path("r")}, inputs_);
  const LiveView view = look(job);
  for (const std::size_t height : {1, 5, 8, 12, 24, 200}) {
    const std::string text = live_text(view, 10, height, {.colour = false, .width = 40});
    EXPECT_LE(std::count(text.begin(), text.end(), '\n'), static_cast<std::ptrdiff_t>(height));
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 40u) << line;
  }
  const std::string high = live_text(view, 10, 24, {});
  EXPECT_EQ(std::count(high.begin(), high.end(), '\n'), 24);
}

TEST_F(Top, LeavesTheFilesAlone) {
  FakeRank rank(dir_, 0);
  rank.add_signature(linear(1));
  rank.count(0, 5);
  const auto state = [&](const std::string& suffix) {
    const std::string path = dir_.path("r/metadata_rank0_pid1" + suffix);
    struct stat status {};
    EXPECT_EQ(stat(path.c_str(), &status), 0);
    return std::tuple(status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_ctim.tv_nsec, test::read_file(path));
  };
  const auto record = state(".jsonl");
  const auto counts = state(".counts");
  const test::Outcome outcome = test::shell("$OPCOV top r --iterations 2 --interval 0.05", dir_.path());
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(state(".jsonl"), record);
  EXPECT_EQ(state(".counts"), counts);
  const std::string block =
      "0 calls/s, 5 calls in 1 signature on 1 rank; 1 record file, 0 ended\n"
      "\n"
      "stage  operator  distinct  calls  calls/s  rank 0\n"
      "dit    linear           1      5        0       0\n"
      "total                   1      5        0       0\n"
      "\n"
      "Busiest signatures\n"
      "calls/s  calls  stage  signature\n"
      "      0      5  dit    linear(bf16[1,4], bf16[4,4]) -> bf16[1,4]\n"
      "\n";
  EXPECT_EQ(outcome.out, block + block);
}

TEST_F(Top, WritesALineOfJsonForEachLook) {
  FakeRank rank(dir_, 3);
  rank.add_signature(linear(1));
  rank.count(0, 5);
  dir_.write("m.jsonl", "");
  const test::Outcome outcome =
      test::shell("$OPCOV top r --iterations 2 --interval 0.05 --json --inputs m.jsonl", dir_.path());
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  std::istringstream lines(outcome.out);
  int looks = 0;
  for (std::string line; std::getline(lines, line); ++looks) {
    const Json json = parse_strict(line);
    EXPECT_GE(json["seconds"], 0.05);
    EXPECT_EQ(json["calls"], 5);
    EXPECT_EQ(json["by_rank"]["3"], Json::parse(R"({"calls":5,"calls_per_second":0.0})"));
    EXPECT_EQ(json["operators"][0]["op"], "aten.linear.default");
    EXPECT_EQ(json["signatures"][0]["covered"], false);
    EXPECT_EQ(json["signatures"][0]["signature_sha256"], make_signature(parse_strict(linear(1))).digest);
  }
  EXPECT_EQ(looks, 2);
}

TEST_F(Top, RefusesWhatItCannotWatch) {
  const std::vector<std::pair<std::string, std::string>> all = {
      {"missing", "missing"},
      {"r r/metadata_rank0_pid1.jsonl", "its calls would count twice, leave one out"},
      {"r --interval 0", "--interval"},
      {"r --iterations 0", "--iterations"},
      {"r --once --iterations 2", "--once is --iterations 1; give one of them"},
      {"", "RECORDS is required"},
  };
  FakeRank rank(dir_, 0);
  for (const auto& [arguments, message] : all) {
    const test::Outcome outcome = test::shell("$OPCOV top " + arguments, dir_.path());
    EXPECT_EQ(outcome.status, 2) << arguments;
    EXPECT_EQ(outcome.out, "");
    expect_in(outcome.err, message);
  }
}

}  // namespace
}  // namespace opcov
