// Entry point of opcov-replay: makes recorded calls again, one after the other, each alone.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string_view>

#include "base/number_option.h"
#include "base/printable.h"
#include "format/indented_json.h"
#include "replay/find_calls.h"
#include "replay/replay.h"

namespace opcov {
namespace {

constexpr std::uint64_t kMostRuns = 1'000'000'000;
constexpr const char* kFooter =
    "Example: opcov-replay 255d8b6427b0b5a7 --records opcov-records --repeat 10\n"
    "Exit status: 0 all replayed, 1 one differs, 2 one cannot be made, 3 an operator raised; the largest of them.";

constexpr std::string_view kKeepRecording = "--keep-recording";

// Before the recorder, which is in this program, looks whether it is asked for: a replay is no part of the program that
// is recorded, and its calls have no place among the records.
[[gnu::constructor(101)]] void record_nothing(int argc, char** argv) {
  if (std::find(argv, argv + argc, kKeepRecording) == argv + argc) unsetenv("OPCOV");
}

struct CommandLine {
  std::vector<std::string> names;
  std::vector<std::string> records;
  std::vector<std::string> libraries;
  ReplayOptions replay;
  bool keep_recording = false;  // seen before main() already
  bool json = false;
};

void add_options(CLI::App& app, CommandLine& line) {
  app.add_option("CALLS", line.names, "Snapshots (*.pt, folders of them), or first digits of digests of --records");
  app.add_option("--records", line.records, "Record files, folders of them, or globs; without CALLS all they hold")
      ->type_name("RECORDS");
  app.add_option("--device", line.replay.device, "cpu or cuda; else as recorded, as far as there is a GPU")
      ->check(CLI::IsMember({"cpu", "cuda"}));
  app.add_option("--warm-up", line.replay.warm_up, "Runs before those that are measured")
      ->capture_default_str()
      ->check(whole_number(0, kMostRuns));
  app.add_option("--repeat", line.replay.repeat, "Runs that are measured, each in an NVTX range")
      ->capture_default_str()
      ->check(whole_number(0, kMostRuns));
  app.add_option("--seed", line.replay.seed, "For values that are made up, and torch's generators")
      ->capture_default_str()
      ->check(whole_number());
  app.add_option("--load", line.libraries, "Library that registers operators")
      ->type_name("LIB.so")
      ->allow_extra_args(false);
  app.add_flag(std::string(kKeepRecording), line.keep_recording,
               "Record the replay itself where OPCOV=1 is set; without it nothing is");
  app.add_flag("--json", line.json, "Write JSON");
  app.set_version_flag("--version", OPCOV_VERSION);
  app.footer(kFooter);
}

void print_line(FILE* stream, const std::string& text) {
  std::fprintf(stream, "%s\n", printable(text).c_str());
  std::fflush(stream);
}

int exit_status(const std::vector<Outcome>& outcomes) {
  int status = 0;
  for (const Outcome& outcome : outcomes) status = std::max(status, static_cast<int>(outcome.exit_code()));
  return status;
}

int run(const CommandLine& line) {
  if (line.names.empty() && line.records.empty())
    throw bad_input("no calls are given; name snapshots or --records, see opcov-replay --help");
  if (line.replay.warm_up + line.replay.repeat == 0) throw bad_input("--warm-up 0 and --repeat 0 leave nothing to run");
  for (const std::string& library : line.libraries) load_operators(library);
  const FoundCalls found = find_calls(line.names, line.records);

  std::vector<Outcome> outcomes;
  const auto add = [&](Outcome outcome) {
    if (!line.json) print_line(stdout, outcome_text(outcome));
    outcomes.push_back(std::move(outcome));
  };
  for (const std::string& problem : found.problems) {
    Outcome refused;
    refused.status = Outcome::Status::kRefused;
    refused.reason = problem;
    add(refused);
  }
  for (const ReplayedCall& call : found.calls) add(replay(call, line.replay));
  if (line.json)
    std::printf("%s\n", indented_json(summary_json(outcomes)).c_str());
  else
    print_line(stdout, summary_text(outcomes));
  return exit_status(outcomes);
}

int run_tool(int argc, char** argv) {
  CLI::App app{"Make recorded operator calls again, each alone", "opcov-replay"};
  CommandLine line;
  add_options(app, line);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    const std::string text = error.what();
    throw bad_input(text.substr(0, text.find('\n')) + "; see opcov-replay --help");
  }
  return run(line);
}

}  // namespace
}  // namespace opcov

int main(int argc, char** argv) {
  try {
    return opcov::run_tool(argc, argv);
  } catch (const opcov::Error& error) {
    opcov::print_line(stderr, std::string("opcov-replay: ") + error.what());
    return static_cast<int>(error.code());
  } catch (const std::exception& error) {
    opcov::print_line(stderr, std::string("opcov-replay: failed: ") + error.what());
    return static_cast<int>(opcov::ExitCode::kFailure);
  }
}
