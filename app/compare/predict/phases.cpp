// The path by which the GPU reads and writes a memory space, and the phases around its steps.
#include "app/compare/predict/phases.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace memstencil::compare::model {

namespace {

/// A kernel that fills an array, with its start and end: fourteen take 0.5 ms at M.
constexpr double fill_launch = 35e-6;
/// It has one store a thread, and reaches this part of the copy bandwidth (6.98 ms for 15 GB).
constexpr double fill_of_copy = 0.75;

/// A GPU counts an access of 128 bytes.
constexpr double counted_bytes = 128.0;

/// Seconds a byte and thread that the host takes to compute what it fills arrays with (15 GB by 16
/// threads in 0.84 s).
constexpr double host_fill = 0.9e-9;

double seconds(const Cost& cost, int calls, double bytes) {
  return calls * cost.start + bytes * cost.a_byte;
}

/// Is it memory that the host cannot reach, so that data pass through a buffer in host memory?
bool staged(MemorySpace space) { return home(space) == Home::Gpu; }

/// Does the host's operating system keep its pages, which a GPU reaches by ATS or HMM alone?
bool of_operating_system(MemorySpace space) {
  return home(space) == Home::Migrates && row_of(space).memory == Memory::Host;
}

TimeByCause initialise(const Arrays& a, const Placement& of, const MachineRates& rates) {
  const bool has_pages = home(of.space) != Home::Migrates || of.prefetches_untouched();
  const Operation fill = of.filled_by_host ? Operation::TouchByHost : Operation::FillByDevice;
  TimeByCause time;
  if (!has_pages) time[Cause::FirstTouch] = seconds(rates.cost(fill, of.space), a.count, a.bytes);
  if (of.filled_by_host)
    return time + TimeByCause(Cause::HostMemory, a.bytes * (host_fill / of.host_threads));
  time[Cause::Launch] = a.count * fill_launch;
  if (home(of.space) == Home::Host)
    time[Cause::Link] = a.bytes / rates[Rate::DeviceWritesHost];
  else
    time[Cause::DeviceMemory] = a.bytes / (rates[Rate::DeviceCopy] * fill_of_copy);
  return time;
}

TimeByCause upload(const Arrays& a, const Placement& of, const MachineRates& rates) {
  if (of.prefetches_untouched())
    return {Cause::FirstTouch,
            seconds(rates.cost(Operation::PrefetchToDevice, of.space), a.count, a.bytes)};
  if (!of.filled_by_host) return {};
  if (staged(of.space)) return {Cause::Link, a.bytes / rates[Rate::LinkToDevice]};
  if (!of.prefetches()) return {};
  return {Cause::Migration, a.bytes / rates[Rate::PrefetchToDevice]};
}

TimeByCause download(const Arrays& a, const Placement& of, const MachineRates& rates) {
  if (home(of.space) == Home::Host) return {Cause::HostMemory, a.largest / rates[Rate::HostCopy]};
  if (staged(of.space) || (of_operating_system(of.space) && rates.gpu_translation().ats()))
    return {Cause::Link, a.largest / rates[Rate::LinkToHost]};
  return {Cause::Migration, a.largest / rates[Rate::FaultsToHost]};
}

/// The fraction that is read over the link (ATS) of arrays that should lie in the GPU's memory and
/// are larger than it; without ATS pages move to and fro, see thrashes().
double beyond_device_memory(MemorySpace space, double bytes, const MachineRates& rates) {
  const bool splits =
      home(space) == Home::Migrates && rates.device_bytes && rates.gpu_translation().ats();
  return splits ? std::max(0.0, 1 - *rates.device_bytes / bytes) : 0;
}

/// Do managed pages have to come again in every pass, since they are more than the GPU's memory?
bool thrashes(MemorySpace space, double bytes, const MachineRates& rates) {
  return home(space) == Home::Migrates && rates.device_bytes && !rates.gpu_translation().ats() &&
         bytes > *rates.device_bytes;
}

}  // namespace

AccessPath access_path(const Placement& of, const Translation& translation) {
  if (home(of.space) == Home::Gpu) return AccessPath::Near;
  if (home(of.space) == Home::Host) return AccessPath::Link;
  const bool ats = of_operating_system(of.space) && translation.ats();
  if (ats && !translation.gpu_node) return AccessPath::Link;
  if (!of.filled_by_host || of.prefetch) return AccessPath::Near;
  if (ats) return translation.counters ? AccessPath::Counters : AccessPath::Link;
  return AccessPath::Faults;
}

bool gpu_reaches(MemorySpace space, const Translation& translation) {
  return !of_operating_system(space) || translation.kind != "none";
}

Pages::Pages(const Placement& placement, double bytes, const MachineRates& rates)
    : path_(access_path(placement, rates.gpu_translation())),
      thrash_(thrashes(placement.space, bytes, rates)),
      bytes_(bytes),
      stays_far_(beyond_device_memory(placement.space, bytes, rates)),
      to_move_(path_ == AccessPath::Counters ? bytes * (1 - stays_far_) : 0),
      uncounted_(rates.gpu_translation().threshold * counted_bytes /
                 rates.gpu_translation().region_bytes) {
  if (to_move_ > 0) rate_ = rates[Rate::CounterMigration];
}

std::int64_t Pages::move(double seconds, int sweeps, std::int64_t most) {
  if (std::exchange(first_, false)) most = 1;
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

Prediction whole_run(const Arrays& a, const Placement& of, const MachineRates& rates,
                     const char* name, const std::function<Steps()>& steps,
                     const std::vector<Phase>& after) {
  // Of the arrays, and of the buffer through which they pass.
  const auto with_buffer = [&](Operation arrays, Operation buffer) {
    double time = seconds(rates.cost(arrays, of.space), a.count, a.bytes);
    if (staged(of.space))
      time += seconds(rates.cost(buffer, MemorySpace::HostPinned), 1, a.largest);
    return TimeByCause(Cause::Allocation, time);
  };
  const bool by_device =
      home(of.space) == Home::Migrates && !of_operating_system(of.space) && !of.filled_by_host;
  const Operation allocate = of.registered ? Operation::AllocateRegistered : Operation::Allocate;
  const Operation free = of.registered ? Operation::FreeRegistered
                         : by_device   ? Operation::FreeFilledByDevice
                                       : Operation::Free;
  Prediction out;
  const auto add = [&](const char* phase_name, const auto& time) {
    out.phases.push_back(phase(phase_name, time));
  };
  add("allocate", [&] { return with_buffer(allocate, Operation::AllocateRegistered); });
  add("initialise", [&] { return initialise(a, of, rates); });
  add("upload", [&] { return upload(a, of, rates); });
  add(name, [&] {
    out.steps = steps();
    return out.steps.sum();
  });
  out.phases.insert(out.phases.end(), after.begin(), after.end());
  add("download", [&] { return download(a, of, rates); });
  add("free", [&] { return with_buffer(free, Operation::FreeRegistered); });
  return out;
}

}  // namespace memstencil::compare::model
