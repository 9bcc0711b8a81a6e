// The path by which the GPU reads and writes a memory space, and the phases around its steps.
#include "app/compare/model/access.hpp"

#include <algorithm>

namespace memstencil::compare::model {

namespace {

/// A kernel that fills an array, with its start and end: fourteen take 0.5 ms at M
/// (docs/lab/placement-behind-pcie.md).
constexpr double fill_launch = 35e-6;
/// It has one store a thread, and reaches this part of the copy bandwidth (6.98 ms for 15 GB).
constexpr double fill_of_copy = 0.75;

double seconds(const Cost& cost, int calls, double bytes) {
  return calls * cost.start + bytes * cost.a_byte;
}

/// Is it memory that the host cannot reach, so that data pass through a buffer in host memory?
bool staged(MemorySpace space) { return home(space) == Home::Gpu; }

/// The memory of that buffer.
MemorySpace staging_space(const Access& access) {
  return access.filled_by_host ? MemorySpace::HostPinned : MemorySpace::SystemAllocated;
}

TimeByCause initialise(const Arrays& a, const Access& access, const MachineRates& rates) {
  const bool has_pages = home(a.space) != Home::Migrates || access.prefetches_untouched();
  const Operation fill = access.filled_by_host ? Operation::TouchByHost : Operation::FillByDevice;
  TimeByCause time;
  if (!has_pages) time[Cause::FirstTouch] = seconds(rates.cost(fill, a.space), a.count, a.bytes);
  if (access.filled_by_host) return time + TimeByCause(Cause::HostMemory, a.bytes * a.host_fill);
  time[Cause::Launch] = a.count * fill_launch;
  if (home(a.space) == Home::Host)
    time[Cause::Link] = a.bytes / rates[Rate::DeviceWritesHost];
  else
    time[Cause::DeviceMemory] = a.bytes / (rates[Rate::DeviceCopy] * fill_of_copy);
  return time;
}

TimeByCause upload(const Arrays& a, const Access& access, const MachineRates& rates) {
  if (access.prefetches_untouched())
    return {Cause::FirstTouch,
            seconds(rates.cost(Operation::PrefetchToDevice, a.space), a.count, a.bytes)};
  if (!access.filled_by_host) return {};
  if (staged(a.space)) return {Cause::Link, a.bytes / rates[Rate::LinkToDevice]};
  if (!access.prefetch) return {};
  return {Cause::Migration, a.bytes / rates[Rate::PrefetchToDevice]};
}

TimeByCause download(const Arrays& a, const Access& access, const MachineRates& rates) {
  const double bytes = a.result_bytes;
  if (staged(a.space)) {
    const bool pinned = staging_space(access) == MemorySpace::HostPinned;
    return {Cause::Link, bytes / rates[pinned ? Rate::LinkToHost : Rate::LinkToPageable]};
  }
  if (home(a.space) == Home::Host) return {Cause::HostMemory, bytes / rates[Rate::HostCopy]};
  if (access.prefetch) return {Cause::Migration, bytes / rates[Rate::LinkToHost]};
  if (a.space == MemorySpace::SystemAllocated && rates.gpu_translation().ats())
    return {Cause::Link, bytes / rates[Rate::LinkToHost]};
  return {Cause::Migration, bytes / rates[Rate::FaultsToHost]};
}

}  // namespace

AccessPath access_path(MemorySpace space, const Access& access, const Translation& translation) {
  if (home(space) == Home::Gpu) return AccessPath::Near;
  if (home(space) == Home::Host) return AccessPath::Link;
  const bool ats = space == MemorySpace::SystemAllocated && translation.ats();
  if (ats && !translation.gpu_node) return AccessPath::Link;
  if (!access.filled_by_host || access.prefetch) return AccessPath::Near;
  if (ats) return translation.counters ? AccessPath::Counters : AccessPath::Link;
  return AccessPath::Faults;
}

bool gpu_reaches(MemorySpace space, const Translation& translation) {
  return space != MemorySpace::SystemAllocated || translation.kind != "none";
}

double beyond_device_memory(MemorySpace space, double bytes, const MachineRates& rates) {
  const bool splits =
      home(space) == Home::Migrates && rates.device_bytes && rates.gpu_translation().ats();
  return splits ? std::max(0.0, 1 - *rates.device_bytes / bytes) : 0;
}

bool thrashes(MemorySpace space, double bytes, const MachineRates& rates) {
  return home(space) == Home::Migrates && rates.device_bytes && !rates.gpu_translation().ats() &&
         bytes > *rates.device_bytes;
}

std::vector<Phase> phases_before(const Arrays& a, const Access& access, const MachineRates& rates) {
  const auto allocate = [&] {
    double time = seconds(rates.cost(Operation::Allocate, a.space), a.count, a.bytes);
    if (staged(a.space))
      time += seconds(rates.cost(Operation::Allocate, staging_space(access)), 1, a.largest);
    return TimeByCause(Cause::Allocation, time);
  };
  return {phase("allocate", allocate),
          phase("initialise", [&] { return initialise(a, access, rates); }),
          phase("upload", [&] { return upload(a, access, rates); })};
}

std::vector<Phase> phases_after(const Arrays& a, const Access& access, const MachineRates& rates) {
  const auto free = [&] {
    const bool by_device = a.space == MemorySpace::Managed && !access.filled_by_host;
    double time =
        seconds(rates.cost(by_device ? Operation::FreeFilledByDevice : Operation::Free, a.space),
                a.count, a.bytes);
    if (staged(a.space))
      time += seconds(rates.cost(Operation::Free, staging_space(access)), 1, a.largest);
    return TimeByCause(Cause::Allocation, time);
  };
  return {phase("download", [&] { return download(a, access, rates); }), phase("free", free)};
}

}  // namespace memstencil::compare::model
