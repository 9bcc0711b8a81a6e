// The path by which the GPU reads and writes a memory space, and the phases around its steps.
#pragma once

#include "app/compare/model/rates.hpp"
#include "app/compare/model/time.hpp"
#include "memory_spaces/memory_space.hpp"

#include <cstdint>
#include <vector>

namespace memstencil::compare::model {

/// Who wrote the arrays first, and whether they are prefetched to the GPU: before its own first
/// touch, or after the host's.
struct Access {
  bool filled_by_host = false;
  bool prefetch = false;

  bool prefetches_untouched() const { return prefetch && !filled_by_host; }
};

enum class AccessPath {
  Near,      ///< in the GPU's memory, or brought there before it starts
  Link,      ///< over the link, at every access
  Faults,    ///< pages move to the GPU when it first touches them
  Counters,  ///< over the link, until access counters have moved it
};
AccessPath access_path(MemorySpace space, const Access& access, const Translation& translation);

/// Can a GPU with such address translation compute on the space?
bool gpu_reaches(MemorySpace space, const Translation& translation);

/// The fraction that is read over the link (ATS) of arrays that should lie in the GPU's memory and
/// are larger than it; without ATS pages move to and fro, see thrashes().
double beyond_device_memory(MemorySpace space, double bytes, const MachineRates& rates);
/// Do managed pages have to come again in every pass, since they are more than the GPU's memory?
bool thrashes(MemorySpace space, double bytes, const MachineRates& rates);

/// Arrays under access counters, which move them to the GPU while its steps read them over the
/// link.
class FarPages {
public:
  FarPages(AccessPath path, MemorySpace space, double bytes, const MachineRates& rates);

  /// The fraction of the arrays that is read over the link.
  double far() const { return path_ == AccessPath::Link ? 1 : stays_far_ + to_move_ / bytes_; }
  /// Goes on by steps of so many seconds that are alike, each of so many sweeps; at most a
  /// thousandth of the arrays moves at a time, since a run may have 10^9 steps.
  /// @returns how many: 1 to `most`
  std::int64_t move(double seconds, int sweeps, std::int64_t most);

private:
  AccessPath path_;
  double bytes_;
  double stays_far_;  ///< fraction of the arrays that the GPU's memory cannot hold
  double to_move_;    ///< bytes
  double uncounted_;  ///< sweeps until the counters reach their threshold
  double rate_ = 0;   ///< bytes a second
};

/// Seconds a byte and thread that the host takes to compute what it fills arrays with (15 GB by 16
/// threads in 0.84 s).
inline constexpr double host_fill = 0.9e-9;

/// The arrays of a run, as the phases before and after the steps see them.
struct Arrays {
  MemorySpace space = MemorySpace::Device;
  int count = 1;
  double bytes = 0;         ///< of all
  double largest = 0;       ///< of one: the buffer through which they pass has its size
  double result_bytes = 0;  ///< that the host reads at the end
  double host_fill = 0;     ///< seconds a byte that the host's threads together need to compute
};
/// All phases of a run: allocate, initialise, upload; those of its steps; download, free.
/// @throws nothing: a figure that is missing stands in its phase
std::vector<Phase> all_phases(const Arrays& arrays, const Access& access, const MachineRates& rates,
                              const std::vector<Phase>& of_steps);

}  // namespace memstencil::compare::model
