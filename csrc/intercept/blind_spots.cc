#include "intercept/blind_spots.h"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <string>

namespace opcov::blind_spots {
namespace {

struct Text {
  const char* kind;
  const char* text;
};

// A notice replaces an earlier one of the same text, so the texts name no numbers.
constexpr std::array<Text, 3> kTexts = {{
    {"tensor_subclass",
     "calls of selected operators on tensors that wrap others: what these became stands in the record, under the names "
     "of the operators on the plain tensors inside"},
    {"other_backend",
     "operator calls in grad mode on nested, mkldnn or other tensors than plain CPU and CUDA ones: a linear among them "
     "appears as what it is made of; under torch.inference_mode() it is recorded whole"},
    {"cuda_graph",
     "calls were recorded while a CUDA graph was captured; each replay of the graph runs them again, and is not "
     "counted"},
}};
constexpr Text kCompiledLibraries = {
    "compiled_library",
    "AOTInductor libraries are loaded: operators that were compiled into them are no operator calls any more"};

std::array<std::atomic<std::uint64_t>, kTexts.size()> g_counts{};

struct LoadedLibrary {
  std::string path;
  const void* base;
};

std::vector<LoadedLibrary> loaded_libraries() {
  std::vector<LoadedLibrary> libraries;
  const auto add = [](dl_phdr_info* info, std::size_t, void* list) {
    if (info->dlpi_name != nullptr && info->dlpi_name[0] != '\0')
      static_cast<std::vector<LoadedLibrary>*>(list)->push_back(
          {info->dlpi_name, reinterpret_cast<const void*>(info->dlpi_addr)});
    return 0;
  };
  dl_iterate_phdr(add, &libraries);
  return libraries;
}

bool is_compiled_model(const LoadedLibrary& loaded) {
  void* library = dlopen(loaded.path.c_str(), RTLD_LAZY | RTLD_NOLOAD);
  if (library == nullptr) return false;
  // Found also in what the library needs: only the one that has the symbol itself counts.
  void* symbol = dlsym(library, "AOTInductorModelContainerRun");
  Dl_info owner{};
  const bool owns = symbol != nullptr && dladdr(symbol, &owner) != 0 && owner.dli_fbase == loaded.base;
  dlclose(library);
  return owns;
}

std::uint64_t compiled_libraries() {
  const auto libraries = loaded_libraries();  // first: the loader's lock is held while it lists them
  return static_cast<std::uint64_t>(std::count_if(libraries.begin(), libraries.end(), is_compiled_model));
}

}  // namespace

void count(Kind kind) noexcept { g_counts[static_cast<std::size_t>(kind)].fetch_add(1, std::memory_order_relaxed); }

std::vector<RunNotice> notices() {
  std::vector<RunNotice> found;
  const auto add = [&](const Text& text, std::uint64_t n) {
    if (n > 0) found.push_back({text.kind, n, text.text});
  };
  for (std::size_t i = 0; i < kTexts.size(); ++i) add(kTexts[i], g_counts[i].load(std::memory_order_relaxed));
  add(kCompiledLibraries, compiled_libraries());
  return found;
}

void forget() noexcept {
  for (auto& count : g_counts) count.store(0, std::memory_order_relaxed);
}

}  // namespace opcov::blind_spots
