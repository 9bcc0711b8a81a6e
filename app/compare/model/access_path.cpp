// The path by which the executor of a run reads and writes a memory space.
#include "app/compare/model/access_path.hpp"

namespace memstencil::model {

namespace {

/// A kernel that fills an array, with its start and end: fourteen take 0.5 ms at M
/// (docs/lab/placement-behind-pcie.md).
constexpr double fill_launch = 35e-6;
/// It has one store a thread, and reaches this part of the copy bandwidth (6.98 ms for 15 GB).
constexpr double fill_of_copy = 0.75;
/// An allocator's or a release's call: 0.35 ms for fourteen arrays of managed memory of any size.
constexpr double call_seconds = 25e-6;

Executor executor_named(const std::string& name) {
  return name == "host" ? Executor::Host : Executor::Device;
}

}  // namespace

Access access_of(const std::string& executor, const std::string& first_touch, bool prefetch) {
  return {executor_named(executor), executor_named(first_touch), prefetch};
}

AccessPath access_path(MemorySpace space, const Access& access, const Translation& translation) {
  if (access.executor == Executor::Host)
    return space == MemorySpace::Managed && access.first_touch == Executor::Device &&
                   !access.prefetch
               ? AccessPath::Faults
               : AccessPath::Near;
  if (home(space) == Home::Gpu) return AccessPath::Near;
  if (home(space) == Home::Host) return AccessPath::Link;
  const bool ats = space == MemorySpace::SystemAllocated && translation.kind == "ATS";
  if (ats && !translation.gpu_node) return AccessPath::Link;
  if (access.first_touch == Executor::Device || access.prefetch) return AccessPath::Near;
  if (ats) return translation.counters ? AccessPath::Counters : AccessPath::Link;
  return AccessPath::Faults;
}

bool gpu_reaches(MemorySpace space, const Translation& translation) {
  return space != MemorySpace::SystemAllocated || translation.kind != "none";
}

Cause near_memory(Executor executor) {
  return executor == Executor::Device ? Cause::DeviceMemory : Cause::HostMemory;
}

bool staged(MemorySpace space, const Access& access) {
  return home(space) == Home::Gpu && access.executor == Executor::Device;
}

MemorySpace staging_space(const Access& access) {
  return access.first_touch == Executor::Host ? MemorySpace::HostPinned
                                              : MemorySpace::SystemAllocated;
}

TimeByCause download(MemorySpace space, double bytes, const Access& access,
                     const MachineRates& rates) {
  if (staged(space, access)) {
    const bool pinned = staging_space(access) == MemorySpace::HostPinned;
    return {Cause::Link, bytes / rates[pinned ? Rate::LinkToHost : Rate::LinkToPageable]};
  }
  if (access.executor == Executor::Host || home(space) == Home::Host)
    return {Cause::HostMemory, bytes / rates[Rate::HostCopy]};
  if (access.prefetch) return {Cause::Migration, bytes / rates[Rate::LinkToHost]};
  if (space == MemorySpace::SystemAllocated && rates.translation &&
      rates.translation->kind == "ATS")
    return {Cause::Link, bytes / rates[Rate::LinkToHost]};
  return {Cause::Migration, bytes / rates[Rate::FaultsToHost]};
}

TimeByCause allocation(MemorySpace space, int arrays, double bytes, const MachineRates& rates) {
  return {Cause::Allocation,
          arrays * call_seconds + bytes * rates.cost(MemoryOperation::Allocate, space)};
}

TimeByCause release(MemorySpace space, int arrays, double bytes, const Access& access,
                    const MachineRates& rates) {
  const bool by_device = space == MemorySpace::Managed && access.first_touch == Executor::Device;
  return {Cause::Allocation,
          arrays * call_seconds + bytes * rates.cost(by_device ? MemoryOperation::FreeFilledByDevice
                                                               : MemoryOperation::Free,
                                                     space)};
}

TimeByCause initialisation(MemorySpace space, int arrays, double bytes, const Access& access,
                           double host_fill, const MachineRates& rates) {
  const bool has_pages =
      home(space) == Home::Host || (access.executor == Executor::Device &&
                                    (home(space) == Home::Gpu || access.prefetches_untouched()));
  const MemoryOperation touch = access.first_touch == Executor::Host
                                    ? MemoryOperation::TouchByHost
                                    : MemoryOperation::FillByDevice;
  TimeByCause time(Cause::FirstTouch, has_pages ? 0.0 : bytes * rates.cost(touch, space));
  if (access.first_touch == Executor::Host)
    return time + TimeByCause(Cause::HostMemory, bytes * host_fill);
  time[Cause::Launch] = arrays * fill_launch;
  if (home(space) == Home::Host)
    time[Cause::Link] = bytes / rates[Rate::DeviceWritesHost];
  else
    time[Cause::DeviceMemory] = bytes / (rates[Rate::DeviceCopy] * fill_of_copy);
  return time;
}

TimeByCause upload(MemorySpace space, double bytes, const Access& access,
                   const MachineRates& rates) {
  if (access.executor == access.first_touch) {
    const bool made_here = access.prefetches_untouched() && access.executor == Executor::Device;
    return {Cause::FirstTouch,
            made_here ? bytes * rates.cost(MemoryOperation::PrefetchToDevice, space) : 0.0};
  }
  if (staged(space, access)) return {Cause::Link, bytes / rates[Rate::LinkToDevice]};
  if (!access.prefetch) return {};
  const Rate way = access.executor == Executor::Device ? Rate::PrefetchToDevice : Rate::LinkToHost;
  return {Cause::Migration, bytes / rates[way]};
}

}  // namespace memstencil::model
