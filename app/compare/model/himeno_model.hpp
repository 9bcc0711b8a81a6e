// The model of himeno: its phases and each of its sweeps, predicted from the rates of a machine.
#pragma once

#include "app/compare/model/access_path.hpp"
#include "app/compare/model/machine_rates.hpp"
#include "app/compare/model/prediction.hpp"
#include "memory_spaces/memory_space.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace memstencil::model {

/// The ranks of a run on GPUs, between which messages go.
struct HimenoRanks {
  std::array<std::int64_t, 3> whole{};  ///< extents of the whole grid
  std::array<int, 3> ranks{1, 1, 1};
  int ranks_of_node = 1;
  std::string path;  ///< "nccl", ...

  bool on_several_nodes() const { return ranks[0] * ranks[1] * ranks[2] > ranks_of_node; }
};

/// One rank's part of a run, as far as its time depends on it.
struct HimenoCase {
  std::array<std::int64_t, 3> extents{};  ///< of the arrays, I x J x K
  double points = 0.0;                    ///< that a sweep updates
  std::int64_t iterations = 1;
  std::int64_t rehearsal = 0;    ///< sweeps before the timed ones, in whole passes
  int fused = 1;                 ///< sweeps a pass
  std::int64_t slab_planes = 0;  ///< of streamed passes; 0: all planes at once
  Access access;
  int host_threads = 16;
  MemorySpace p = MemorySpace::Device;             ///< of both p
  MemorySpace coefficients = MemorySpace::Device;  ///< of the twelve others
  std::optional<HimenoRanks> ranks = {};           ///< without them the halo takes no time

  double array_bytes() const;  ///< of one of the fourteen, its rows padded
};
inline constexpr int arrays_of_p = 2;
inline constexpr int arrays_of_coefficients = 12;

/// The reason why the GPU's memory cannot hold the managed (or migrating) arrays at once, or empty.
/// Such a run is only predicted: on a GPU that others use, too, its evictions would be theirs.
std::string oversubscription(const HimenoCase& run, const MachineRates& rates);

/// The time of each sweep; a pass counts evenly for the sweeps it fuses.
///
/// - In the executor's own memory a sweep moves 56 bytes a point, at a part of the copy bandwidth.
/// - Over a link single sweeps read each coefficient once and p as often as tiles share its rows;
///   fused ones are streamed: slabs of planes cross once a pass, the next while one is swept.
/// - Pages that the other processor touched first move in the first pass, at its faults; where they
///   are more than the GPU's memory, in every pass.
/// - Under ATS sweeps read what is far over the link, while access counters move regions of 2 MiB;
///   what has moved is read as device memory.
///
/// Constants are measured on an H100: docs/lab/gpu-sweeps.md and docs/lab/placement-behind-pcie.md.
Steps predict_sweeps(const HimenoCase& run, const MachineRates& rates);

/// All phases of a run on one rank, which may be one of several. download is what the program does:
/// a copy of p out of device memory, and nothing where the host reads p in place.
Prediction predict(const HimenoCase& run, const MachineRates& rates);

/// "device", or "p=device,coefficients=host-pinned": as the command line names it.
std::string placement_name(MemorySpace p, MemorySpace coefficients);

}  // namespace memstencil::model
