// The path by which the executor of a run reads and writes a memory space.
#pragma once

#include "app/compare/model/machine_rates.hpp"
#include "app/compare/model/prediction.hpp"
#include "memory_spaces/memory_space.hpp"

#include <string>

namespace memstencil::model {

/// The processors that touch the arrays of a run.
struct Access {
  Executor executor = Executor::Device;
  Executor first_touch = Executor::Device;
  bool prefetch = false;  ///< to the executor: before its own first touch, or after the other's

  bool prefetches_untouched() const { return prefetch && first_touch == executor; }
};

/// From the names that results have.
Access access_of(const std::string& executor, const std::string& first_touch, bool prefetch);

enum class AccessPath {
  Near,      ///< in the executor's own memory, or brought there before it starts
  Link,      ///< over the link, at every access
  Faults,    ///< pages move to the executor when it first touches them
  Counters,  ///< over the link, until access counters have moved it
};
AccessPath access_path(MemorySpace space, const Access& access, const Translation& translation);

/// Can a GPU with such address translation compute on the space?
bool gpu_reaches(MemorySpace space, const Translation& translation);

/// The cause that time in the executor's own memory is counted under.
Cause near_memory(Executor executor);

/// Is it memory that the host cannot reach, so that data pass through a buffer in host memory?
bool staged(MemorySpace space, const Access& access);

/// `arrays` allocations that hold `bytes` together; and their release.
TimeByCause allocation(MemorySpace space, int arrays, double bytes, const MachineRates& rates);
TimeByCause release(MemorySpace space, int arrays, double bytes, const Access& access,
                    const MachineRates& rates);
/// Filling all of it by whoever touches first, by one kernel an array.
/// @param host_fill seconds a byte that the host's threads together take to compute what they write
TimeByCause initialisation(MemorySpace space, int arrays, double bytes, const Access& access,
                           double host_fill, const MachineRates& rates);
/// The memory of the buffer that staged() asks for (app/bench/staging.hpp).
MemorySpace staging_space(const Access& access);
/// `bytes` of the executor's result on the host: copied, prefetched, or read by its threads.
TimeByCause download(MemorySpace space, double bytes, const Access& access,
                     const MachineRates& rates);
/// Bringing it to the executor before it starts: nothing, a copy, or a prefetch (of
/// untouched pages: making them there).
TimeByCause upload(MemorySpace space, double bytes, const Access& access,
                   const MachineRates& rates);

}  // namespace memstencil::model
