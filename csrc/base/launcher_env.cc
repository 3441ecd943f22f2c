#include "base/launcher_env.h"

#include <array>
#include <charconv>
#include <cstdlib>
#include <cstring>

namespace opcov {
namespace {

struct Launcher {
  const char* rank;
  const char* world_size;
  const char* local_rank;
};

constexpr std::array<Launcher, 4> kLaunchers = {{
    {"RANK", "WORLD_SIZE", "LOCAL_RANK"},
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK"},
    {"PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID"},
    {"SLURM_PROCID", "SLURM_NTASKS", "SLURM_LOCALID"},
}};

std::optional<int> number_from(const char* name) {
  const char* text = std::getenv(name);
  if (text == nullptr || *text == '\0') return std::nullopt;
  int number = 0;
  const char* end = text + std::strlen(text);
  const auto parsed = std::from_chars(text, end, number);
  if (parsed.ec != std::errc() || parsed.ptr != end || number < 0) return std::nullopt;
  return number;
}

}  // namespace

std::optional<RankInfo> rank_from_launcher() {
  for (const Launcher& launcher : kLaunchers)
    if (const auto rank = number_from(launcher.rank))
      return RankInfo{*rank, number_from(launcher.world_size).value_or(1)};
  return std::nullopt;
}

int local_rank_from_launcher() {
  for (const Launcher& launcher : kLaunchers)
    if (const auto rank = number_from(launcher.local_rank)) return *rank;
  return 0;
}

}  // namespace opcov
