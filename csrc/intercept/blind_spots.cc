#include "intercept/blind_spots.h"

#include <array>
#include <atomic>
#include <cstdint>

#include "base/loaded_symbol.h"

namespace opcov::blind_spots {
namespace {

struct Text {
  const char* kind;
  const char* text;
};

// A notice replaces an earlier one of the same text, so the texts name no numbers.
constexpr std::array<Text, 4> kTexts = {{
    {"tensor_subclass",
     "calls of selected operators on tensors that wrap others: what these became stands in the record, under the names "
     "of the operators on the plain tensors inside"},
    {"other_backend",
     "operator calls in grad mode on nested, mkldnn or other tensors than plain CPU and CUDA ones: a composite one, "
     "such as linear, may appear as what it is made of; under torch.inference_mode() it is recorded whole"},
    {"cuda_graph", "calls were captured into CUDA graphs whose replays cannot be seen: what these run is in no count"},
    {"cuda_graph_replays",
     "replays of CUDA graphs are in the counts: each adds one call for each that was captured into the graph"},
}};

std::array<std::atomic<std::uint64_t>, kTexts.size()> g_counts{};

}  // namespace

void count(Kind kind) noexcept { g_counts[static_cast<std::size_t>(kind)].fetch_add(1, std::memory_order_relaxed); }

std::vector<RunNotice> notices() {
  std::vector<RunNotice> found;
  for (std::size_t i = 0; i < kTexts.size(); ++i)
    if (const auto n = g_counts[i].load(std::memory_order_relaxed); n > 0)
      found.push_back({kTexts[i].kind, n, kTexts[i].text});
  // What each library that AOTInductor made exports.
  if (is_symbol_loaded("AOTInductorModelContainerRun"))
    found.push_back({"aot_inductor", 1,
                     "a library that AOTInductor compiled is loaded: most of what a model in it does is no operator "
                     "call, and is in no count"});
  return found;
}

void forget() noexcept {
  for (auto& count : g_counts) count.store(0, std::memory_order_relaxed);
}

}  // namespace opcov::blind_spots
