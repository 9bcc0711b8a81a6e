// The rates of this machine by a trial of at most two seconds.
#include "app/model/trial_rates.hpp"

#include "app/common/clock.hpp"
#include "kernels/copy_stream.hpp"
#include "kernels/probes/host_copy.hpp"
#include "memory_spaces/buffer.hpp"
#include "memory_spaces/capabilities.hpp"
#include "memory_spaces/movement.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <chrono>
#include <functional>
#include <optional>

namespace memstencil::model {

namespace {

using Host = Kokkos::DefaultHostExecutionSpace;
using Device = Kokkos::DefaultExecutionSpace;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Writes one float into each page of 4 KiB, the smallest there is.
template <class Exec>
void touch_pages(float* to, std::int64_t count) {
  constexpr std::int64_t page = 4096 / sizeof(float);
  Kokkos::parallel_for(
      "trial: first touch", Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(0, count / page),
      KOKKOS_LAMBDA(const std::int64_t n) { to[n * page] = 1.0F; });
  Exec().fence("trial: first touch");
}

/// Buffers of one size, and what is measured with them so far.
class Trial {
public:
  explicit Trial(std::size_t bytes)
      : bytes_(bytes), count_(static_cast<std::int64_t>(bytes / sizeof(float))) {}

  /// Host memory alone.
  void host();
  /// The GPU's memory, and the link by way of host-pinned memory.
  void device_and_link();
  /// Memory whose pages go where they are touched.
  void moving(MemorySpace space);

  MachineRates rates() const;

private:
  static constexpr double longest = 1.6;  ///< of the two seconds: a step that begins here still ends in time
  static constexpr int repeats = 3;

  bool late() const { return seconds_since(start_) > longest; }
  float* floats(const Buffer& buffer) const { return static_cast<float*>(buffer.data()); }
  double size() const { return static_cast<double>(bytes_); }

  void set(Rate rate, double bytes, double seconds) { rates_.rates[rate] = {bytes / seconds, "trial"}; }
  void set(Act act, MemorySpace space, double seconds) {
    rates_.costs[{act, space}] = {seconds / size(), "trial"};
  }
  /// The best of some repeats after one that does not count.
  void best(Rate rate, double bytes, const std::function<void()>& work) {
    work();
    double least = host_seconds(work);
    for (int n = 1; n < repeats && !late(); ++n) least = std::min(least, host_seconds(work));
    set(rate, bytes, least);
  }
  Buffer allocate(MemorySpace space) {
    std::optional<Buffer> made;
    const double seconds = host_seconds([&] { made.emplace(space, bytes_); });
    set(Act::Allocate, space, seconds);
    return std::move(*made);
  }
  void release(Buffer&& buffer) {
    const MemorySpace space = buffer.space();
    set(Act::Free, space, host_seconds([&] { const Buffer last = std::move(buffer); }));
  }
  template <class Exec>
  void touch(const Buffer& buffer, Act act) {
    set(act, buffer.space(), host_seconds([&] { touch_pages<Exec>(floats(buffer), count_); }));
  }
  template <class Exec>
  std::function<void()> copying(const Buffer& to, const Buffer& from) const {
    return [this, out = floats(to), in = floats(from)] {
      copy_stream<Exec>(out, in, count_);
      Exec().fence("trial: copy");
    };
  }

  Clock::time_point start_ = Clock::now();
  std::size_t bytes_;
  std::int64_t count_;
  MachineRates rates_;
};

void Trial::host() {
  Buffer from = allocate(MemorySpace::SystemAllocated);
  touch<Host>(from, Act::TouchByHost);
  Buffer to = allocate(MemorySpace::SystemAllocated);
  touch<Host>(to, Act::TouchByHost);
  best(Rate::HostCopy, 2 * size(), [&] {
    probes::host_copy_vectorised(static_cast<double*>(to.data()), static_cast<const double*>(from.data()),
                                 bytes_ / sizeof(double));
  });
  release(std::move(from));
}

void Trial::device_and_link() {
  const Buffer near(MemorySpace::Device, bytes_);
  const Buffer other(MemorySpace::Device, bytes_);
  best(Rate::DeviceCopy, 2 * size(), copying<Device>(near, other));
  if (late()) return;
  Buffer pinned = allocate(MemorySpace::HostPinned);
  touch<Host>(pinned, Act::TouchByHost);
  best(Rate::LinkToDevice, size(), [&] { copy(near.data(), pinned.data(), bytes_); });
  best(Rate::LinkToHost, size(), [&] { copy(pinned.data(), near.data(), bytes_); });
  best(Rate::DeviceReadsHost, size(), copying<Device>(near, pinned));
  best(Rate::DeviceWritesHost, size(), copying<Device>(pinned, near));
  if (late()) return;
  const Buffer second(MemorySpace::HostPinned, bytes_);
  best(Rate::LinkBothWays, 2 * size(), copying<Device>(pinned, second));
  release(std::move(pinned));
}

void Trial::moving(MemorySpace space) {
  const Buffer near(MemorySpace::Device, bytes_);
  Buffer first = allocate(space);
  touch<Device>(first, Act::TouchByDevice);
  release(std::move(first));
  if (late()) return;
  const Buffer second = allocate(space);
  touch<Host>(second, Act::TouchByHost);
  if (space != MemorySpace::Managed) return;
  if (refuse_prefetch(space).empty() && !late()) {
    set(Rate::PrefetchToDevice, size(), host_seconds([&] { prefetch(second, Executor::Device); }));
    set(Rate::FaultsToHost, size(), host_seconds([&] { touch_pages<Host>(floats(second), count_); }));
  }
  if (late()) return;
  set(Rate::FaultsToDevice, size(), host_seconds(copying<Device>(near, second)));
}

MachineRates Trial::rates() const {
  MachineRates out = rates_;
  out.origin = "a trial of " + std::to_string(static_cast<int>(1e3 * seconds_since(start_))) + " ms";
  const GpuFacts gpu = gpu_facts();
  if (gpu.name.empty()) return out;
  out.translation = Translation{.kind = gpu.address_translation,
                                .counters = gpu.address_translation == "ATS" && gpu.numa_id >= 0};
  out.device_bytes = static_cast<double>(gpu.total_bytes);
  return out;
}

/// Enough to pass the caches, and no more than an eighth of what there is.
std::size_t trial_bytes() {
  constexpr std::size_t most = std::size_t{1} << 28;
  constexpr std::size_t least = std::size_t{1} << 20;
  std::size_t there = available_bytes(MemorySpace::SystemAllocated);
  if (gpu_count() > 0) there = std::min(there, available_bytes(MemorySpace::Device));
  return std::clamp(there / 8, least, most) / least * least;
}

}  // namespace

MachineRates trial_rates() {
  Trial trial(trial_bytes());
  trial.host();
  if (gpu_count() > 0) {
    trial.device_and_link();
    for (const MemorySpace space : {MemorySpace::Managed, MemorySpace::SystemAllocated})
      if (support(space, Executor::Device).served) trial.moving(space);
  }
  return trial.rates();
}

}  // namespace memstencil::model
