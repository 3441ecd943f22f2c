// For callgrind: the same calls before opcov has placed its hooks, and after that guarded, paused and recorded.
// measured_calls FOLDER: one dump a way and operator, named `operator/way`, of kCalls calls each.
#include <opcov/opcov.h>
#include <torch/torch.h>
#include <valgrind/callgrind.h>

#include <deque>
#include <functional>
#include <string>
#include <utility>
#include <vector>

constexpr int kCalls = 1000;

int main(int, char** argv) {
  at::set_num_threads(1);
  const c10::InferenceMode inference;
  const auto x = torch::ones({2, 3}), y = torch::ones({2, 3});
  // Operators that allocate nothing of their own: what malloc() takes depends on what was freed before.
  const std::vector<std::pair<std::string, std::function<void()>>> calls = {
      {"to.dtype", [&] { x.to(torch::kFloat); }},
      {"is_same_size", [&] { at::is_same_size(x, y); }},  // has no typed kernel
  };
  std::deque<std::string> names;  // read when callgrind gets round to it
  const auto measure = [&](const std::string& way) {
    for (const auto& [op, call] : calls) {
      for (int i = 0; i < 10; ++i) call();  // a signature's first call costs what it costs
      CALLGRIND_START_INSTRUMENTATION;
      CALLGRIND_ZERO_STATS;
      for (int i = 0; i < kCalls; ++i) call();
      CALLGRIND_DUMP_STATS_AT(names.emplace_back(op + "/" + way).c_str());
      CALLGRIND_STOP_INSTRUMENTATION;
    }
  };
  measure("bare");
  opcov::start({{"OPCOV_DIR", argv[1]}, {"OPCOV_OPS", "aten::hamming_window"}});
  measure("guarded");
  opcov::pause();
  measure("paused");
  opcov::start({{"OPCOV_DIR", argv[1]}, {"OPCOV_OPS", "aten::to.dtype,aten::is_same_size"}});
  measure("recorded");
  opcov::stop();
}
