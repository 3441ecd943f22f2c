// The rank of this process as launchers tell it through the environment: torchrun, Open MPI, MPICH, SLURM.
#pragma once

#include <optional>

namespace opcov {

struct RankInfo {
  int rank = 0;
  int world_size = 1;
  bool operator==(const RankInfo&) const = default;
};

/// From RANK, OMPI_COMM_WORLD_RANK, PMI_RANK or SLURM_PROCID, the first that holds a number, with the same launcher's
/// world size (1 where it states none). None where no launcher speaks.
std::optional<RankInfo> rank_from_launcher();

/// LOCAL_RANK and its kin; 0 where nothing states it.
int local_rank_from_launcher();

}  // namespace opcov
