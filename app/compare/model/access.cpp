// The path by which the GPU reads and writes a memory space, and the phases around its steps.
#include "app/compare/model/access.hpp"

#include <algorithm>
#include <cmath>

namespace memstencil::compare::model {

namespace {

/// A kernel that fills an array, with its start and end: fourteen take 0.5 ms at M
/// (docs/lab/placement-behind-pcie.md).
constexpr double fill_launch = 35e-6;
/// It has one store a thread, and reaches this part of the copy bandwidth (6.98 ms for 15 GB).
constexpr double fill_of_copy = 0.75;

/// A GPU counts an access of 128 bytes.
constexpr double counted_bytes = 128.0;

double seconds(const Cost& cost, int calls, double bytes) {
  return calls * cost.start + bytes * cost.a_byte;
}

/// Is it memory that the host cannot reach, so that data pass through a buffer in host memory?
bool staged(MemorySpace space) { return home(space) == Home::Gpu; }

/// Does the host's operating system keep its pages, which a GPU reaches by ATS or HMM alone?
bool of_operating_system(MemorySpace space) {
  return home(space) == Home::Migrates && row_of(space).memory == Memory::Host;
}

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
  if (of_operating_system(a.space) && rates.gpu_translation().ats())
    return {Cause::Link, bytes / rates[Rate::LinkToHost]};
  return {Cause::Migration, bytes / rates[Rate::FaultsToHost]};
}

}  // namespace

AccessPath access_path(MemorySpace space, const Access& access, const Translation& translation) {
  if (home(space) == Home::Gpu) return AccessPath::Near;
  if (home(space) == Home::Host) return AccessPath::Link;
  const bool ats = of_operating_system(space) && translation.ats();
  if (ats && !translation.gpu_node) return AccessPath::Link;
  if (!access.filled_by_host || access.prefetch) return AccessPath::Near;
  if (ats) return translation.counters ? AccessPath::Counters : AccessPath::Link;
  return AccessPath::Faults;
}

bool gpu_reaches(MemorySpace space, const Translation& translation) {
  return !of_operating_system(space) || translation.kind != "none";
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

FarPages::FarPages(AccessPath path, MemorySpace space, double bytes, const MachineRates& rates)
    : path_(path),
      bytes_(bytes),
      stays_far_(beyond_device_memory(space, bytes, rates)),
      to_move_(path == AccessPath::Counters ? bytes * (1 - stays_far_) : 0),
      uncounted_(rates.gpu_translation().threshold * counted_bytes /
                 rates.gpu_translation().region_bytes) {
  if (to_move_ > 0) rate_ = rates[Rate::CounterMigration];
}

std::int64_t FarPages::move(double seconds, int sweeps, std::int64_t most) {
  if (to_move_ == 0) return most;
  const auto whole = [&](double steps) {
    return static_cast<std::int64_t>(std::clamp(std::floor(steps), 1.0, double(most)));
  };
  uncounted_ -= sweeps;
  if (uncounted_ > 0) {
    const std::int64_t steps = whole(uncounted_ / sweeps);
    uncounted_ -= sweeps * static_cast<double>(steps - 1);
    return steps;
  }
  const double a_step = seconds * rate_;
  const std::int64_t steps = whole(std::min(to_move_, bytes_ / 1000) / a_step);
  to_move_ = std::max(0.0, to_move_ - a_step * static_cast<double>(steps));
  return steps;
}

std::vector<Phase> all_phases(const Arrays& a, const Access& access, const MachineRates& rates,
                              const std::vector<Phase>& of_steps) {
  const auto allocate = [&] {
    double time = seconds(rates.cost(Operation::Allocate, a.space), a.count, a.bytes);
    if (staged(a.space))
      time += seconds(rates.cost(Operation::Allocate, staging_space(access)), 1, a.largest);
    return TimeByCause(Cause::Allocation, time);
  };
  const auto free = [&] {
    const bool by_device =
        home(a.space) == Home::Migrates && !of_operating_system(a.space) && !access.filled_by_host;
    double time =
        seconds(rates.cost(by_device ? Operation::FreeFilledByDevice : Operation::Free, a.space),
                a.count, a.bytes);
    if (staged(a.space))
      time += seconds(rates.cost(Operation::Free, staging_space(access)), 1, a.largest);
    return TimeByCause(Cause::Allocation, time);
  };
  std::vector<Phase> all{phase("allocate", allocate),
                         phase("initialise", [&] { return initialise(a, access, rates); }),
                         phase("upload", [&] { return upload(a, access, rates); })};
  all.insert(all.end(), of_steps.begin(), of_steps.end());
  all.push_back(phase("download", [&] { return download(a, access, rates); }));
  all.push_back(phase("free", free));
  return all;
}

}  // namespace memstencil::compare::model
