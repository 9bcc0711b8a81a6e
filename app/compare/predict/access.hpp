// The path by which the GPU reads and writes a memory space, and the phases around its steps.
#pragma once

#include "app/compare/predict/rates.hpp"
#include "app/compare/predict/time.hpp"
#include "memory_spaces/memory_space.hpp"

#include <cstdint>
#include <vector>

namespace memstencil::compare::model {

/// Where the arrays of a run lie, who wrote them first, and whether they are prefetched to the GPU:
/// before its own first touch, or after the host's.
struct Placement {
  MemorySpace space = MemorySpace::Device;
  bool filled_by_host = false;
  bool prefetch = false;
  int host_threads = 16;
  bool registered = false;  ///< host-pinned memory: pages of the host that were registered

  /// A prefetch concerns memory that migrates, nothing else.
  bool prefetches() const { return prefetch && home(space) == Home::Migrates; }
  bool prefetches_untouched() const { return prefetches() && !filled_by_host; }
};

enum class AccessPath {
  Near,      ///< in the GPU's memory, or brought there before it starts
  Link,      ///< over the link, at every access
  Faults,    ///< pages move to the GPU when it first touches them
  Counters,  ///< over the link, until access counters have moved it
};
AccessPath access_path(const Placement& placement, const Translation& translation);

/// Can a GPU with such address translation compute on the space?
bool gpu_reaches(MemorySpace space, const Translation& translation);

/// The fraction that is read over the link (ATS) of arrays that should lie in the GPU's memory and
/// are larger than it; without ATS pages move to and fro, see thrashes().
double beyond_device_memory(MemorySpace space, double bytes, const MachineRates& rates);
/// Do managed pages have to come again in every pass, since they are more than the GPU's memory?
bool thrashes(MemorySpace space, double bytes, const MachineRates& rates);

/// The pages of a run's arrays, step by step. Under access counters they move to the GPU while its
/// steps read them over the link.
class Pages {
public:
  Pages(const Placement& placement, double bytes, const MachineRates& rates);

  AccessPath path() const { return path_; }
  /// The fraction of the arrays that is read over the link.
  double far() const { return path_ == AccessPath::Link ? 1 : stays_far_ + to_move_ / bytes_; }
  /// Does the next step begin with faults? The first one; where the GPU's memory is too small each,
  /// since by the time a page is needed again it has been the one longest unused.
  bool fault() const { return thrash_ || (first_ && path_ == AccessPath::Faults); }
  bool thrash() const { return thrash_; }
  /// Goes on by equal steps of `seconds` seconds and `sweeps` sweeps each. At most a thousandth of
  /// the arrays moves in a call, if it has several steps: a run may have 10^9 of them.
  /// @returns the number of steps: 1 to `most`, at first 1
  std::int64_t move(double seconds, int sweeps, std::int64_t most);

private:
  AccessPath path_;
  bool thrash_, first_ = true;
  double bytes_;
  double stays_far_;  ///< fraction of the arrays that the GPU's memory cannot hold
  double to_move_;    ///< bytes
  double uncounted_;  ///< sweeps until the counters reach their threshold
  double rate_ = 0;   ///< bytes a second
};

/// The arrays of a run, as the phases before and after the steps see them.
struct Arrays {
  int count = 1;
  double bytes = 0;    ///< of all
  double largest = 0;  ///< of one: the buffer through which they pass has its size, and the host
                       ///< reads so much at the end
};
/// All phases of a run: allocate, initialise, upload; those of its steps; download, free.
/// @throws nothing: a figure that is missing stands in its phase
std::vector<Phase> all_phases(const Arrays& arrays, const Placement& placement,
                              const MachineRates& rates, const std::vector<Phase>& of_steps);

}  // namespace memstencil::compare::model
