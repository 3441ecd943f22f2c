// What opcov adds to one call, by Google Benchmark: the same call without opcov's hook, with it, and with an empty
// boxed kernel in its place, in one process. Run by call_cost.py, which tells the differences.
//
// Without the hook: a fallthrough kernel is registered over it, which gives the dispatch table its original entry.
#include <benchmark/benchmark.h>
#include <opcov/opcov.h>
#include <torch/torch.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace {

/// The dispatcher warns of each kernel that is registered over another.
struct Quiet : c10::WarningHandler {
  void process(const c10::Warning&) override {}
};

/// A call of one operator, on small tensors.
struct Case {
  const char* op;
  std::function<void()> call;
  int threads = 1;
};

enum class Mode { kBare, kEmptyBoxed, kPaused, kGuarded, kRecorded };

void redispatch(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack* stack) {
  op.redispatchBoxed(keys & c10::DispatchKeySet(c10::DispatchKeySet::FULL_AFTER, c10::DispatchKey::BackendSelect),
                     stack);
}

std::unique_ptr<torch::Library> over_the_hook(const char* op, torch::CppFunction kernel) {
  auto library = std::make_unique<torch::Library>(torch::Library::IMPL, "aten", c10::DispatchKey::BackendSelect,
                                                  __FILE__, __LINE__);
  library->impl(op, std::move(kernel));
  return library;
}

/// Calls of the operator are made that way while it lives.
class Way {
 public:
  Way(const char* op, Mode mode) {
    // Hooks are placed by the first recording, and stay.
    opcov::start({{"OPCOV_DIR", std::filesystem::temp_directory_path() / "opcov-call-cost"},
                  {"OPCOV_OPS", mode == Mode::kGuarded ? "aten::hamming_window" : std::string("aten::") + op}});
    if (mode == Mode::kPaused) opcov::pause();
    if (mode == Mode::kBare) library_ = over_the_hook(op, torch::CppFunction::makeFallthrough());
    if (mode == Mode::kEmptyBoxed)
      library_ = over_the_hook(op, torch::CppFunction::makeFromBoxedFunction<&redispatch>());
  }
  ~Way() {
    opcov::reset();  // leaves no file
    opcov::stop();
  }
  Way(const Way&) = delete;
  Way& operator=(const Way&) = delete;

 private:
  std::unique_ptr<torch::Library> library_;
};

/// On each of the case's threads; the loop begins and ends on all of them together.
void run(benchmark::State& state, const Case& what, Mode mode) {
  Quiet quiet;
  const c10::WarningUtils::WarningHandlerGuard guard(&quiet);
  std::optional<Way> way;
  if (state.thread_index() == 0) way.emplace(what.op, mode);
  const c10::InferenceMode inference;
  what.call();
  for (auto _ : state) what.call();
}

}  // namespace

int main(int argc, char** argv) {
  at::set_num_threads(1);
  const auto x = torch::ones({2, 3}), w = torch::ones({4, 3}), y = torch::ones({2, 3});
  const std::vector<Case> cases = {
      {"linear", [&] { benchmark::DoNotOptimize(at::linear(x, w)); }},
      {"to.dtype", [&] { benchmark::DoNotOptimize(x.to(torch::kFloat)); }},
      {"view", [&] { benchmark::DoNotOptimize(x.view({6})); }},
      {"mul.Tensor", [&] { benchmark::DoNotOptimize(at::mul(x, y)); }},
      {"hypot", [&] { benchmark::DoNotOptimize(at::hypot(x, y)); }},  // has no typed kernel
      // A signature in common, a tensor each.
      {"to.dtype",
       [] {
         thread_local const auto own = torch::ones({2, 3});
         benchmark::DoNotOptimize(own.to(torch::kFloat));
       },
       /*threads=*/2},
      {"unsqueeze_copy", [&] { benchmark::DoNotOptimize(at::unsqueeze_copy(x, 0)); }},
  };
  const std::pair<const char*, Mode> modes[] = {{"bare", Mode::kBare},
                                                {"empty_boxed", Mode::kEmptyBoxed},
                                                {"paused", Mode::kPaused},
                                                {"guarded", Mode::kGuarded},
                                                {"recorded", Mode::kRecorded}};
  for (const Case& what : cases)
    for (const auto& [name, mode] : modes)
      benchmark::RegisterBenchmark((std::string(what.op) + "/" + name).c_str(), [&what,
                                                                                 mode = mode](benchmark::State& state) {
        run(state, what, mode);
      })->Threads(what.threads);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
