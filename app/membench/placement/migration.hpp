// Probe migration: GPU, host and GPU again copy between the same two arrays.
#pragma once

#include "app/membench/placement/series.hpp"

#include <array>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace memstencil::membench::migration_probe {

/// A phase of [tsukuba-thesis-2024], section 4.2.2: so many copies in a row by one executor.
struct MigrationPhase {
  std::string_view name;
  Executor executor;
  /// Arrays that are not with the executor when the phase starts, where pages move to who touches
  /// them: the source at first, then both.
  int to_move;
};
inline constexpr std::array<MigrationPhase, 3> migration_phases{
    {{"device 1", Executor::Device, 1},
     {"host", Executor::Host, 2},
     {"device 2", Executor::Device, 2}}};

/// The hints given to the driver. The thesis has the plain mode alone.
struct MigrationMode {
  std::string_view name;
  Advice advice;
  bool prefetch;  ///< before each phase, both arrays to its executor
};
inline constexpr std::array<MigrationMode, 5> migration_modes{
    {{"plain", Advice::None, false},
     {"prefetch", Advice::None, true},
     {"preferred", Advice::Preferred, false},
     {"read-mostly", Advice::ReadMostly, false},
     {"accessed-by", Advice::AccessedBy, false}}};

/// The cases to measure, and their memory.
struct MigrationPlan {
  std::vector<MemorySpace> spaces;
  int gpu_node = -1;  ///< as ResidencyTable's
  /// Does every page of managed memory move to the executor that touches it? Then the first repeat
  /// of a plain phase tells how fast pages move by fault.
  bool managed_moves_by_fault = false;
  /// The reason why a mode is not available in a memory here; empty where it is.
  std::function<std::string(const MigrationMode&, MemorySpace)> refuse;
};

/// The series of all modes (with --paper the thesis' alone) in memory made by `make`.
ProbeResult measure_migration(const Settings& settings, const MigrationPlan& plan,
                              const MakeArrays& make);

}  // namespace memstencil::membench::migration_probe
