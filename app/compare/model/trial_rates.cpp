// The rates of this machine by a trial of at most two seconds.
#include "app/compare/model/trial_rates.hpp"

#include "app/base/machine/host_facts.hpp"
#include "app/base/machine/machine_facts.hpp"
#include "app/base/runtime/clock.hpp"
#include "app/base/runtime/statistics.hpp"
#include "kernels/copy_stream.hpp"
#include "kernels/probes/array_copy.hpp"
#include "kernels/probes/pattern.hpp"
#include "memory_spaces/buffer.hpp"
#include "memory_spaces/capabilities.hpp"
#include "memory_spaces/movement.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <chrono>
#include <functional>
#include <optional>
#include <vector>

namespace memstencil::model {

namespace {

using Host = Kokkos::DefaultHostExecutionSpace;
using Device = Kokkos::DefaultExecutionSpace;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
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
  /// The median of some lives: one that the host's scheduler held up has cost ten times the others.
  void make_pages(MemorySpace space, MemoryOperation operation,
                  const std::function<void(const Buffer&)>& make);

  static constexpr double longest =
      1.6;  ///< of the two seconds: a step that begins here still ends in time
  static constexpr int repeats = 3;

  bool late() const { return seconds_since(start_) > longest; }
  float* floats(const Buffer& buffer) const { return static_cast<float*>(buffer.data()); }
  double* doubles(const Buffer& buffer) const { return static_cast<double*>(buffer.data()); }
  double size() const { return static_cast<double>(bytes_); }

  void set(Rate rate, double bytes, double seconds) {
    rates_.rates[rate] = {bytes / seconds, "trial"};
  }
  void set(MemoryOperation operation, MemorySpace space, double seconds) {
    rates_.costs[{operation, space}] = {seconds / size(), "trial"};
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
    set(MemoryOperation::Allocate, space, seconds);
    return std::move(*made);
  }
  void release(Buffer&& buffer, MemoryOperation operation = MemoryOperation::Free) {
    const MemorySpace space = buffer.space();
    set(operation, space, host_seconds([&] { const Buffer last = std::move(buffer); }));
  }
  /// Writes one word into each page of 4 KiB, the smallest there is.
  double touched_by_host(const Buffer& buffer) const {
    constexpr std::size_t stride = 4096 / sizeof(double);
    return host_seconds(
        [&] { probes::host_pattern().write(doubles(buffer), bytes_ / sizeof(double), stride, 1); });
  }
  void touch(const Buffer& buffer) {
    set(MemoryOperation::TouchByHost, buffer.space(), touched_by_host(buffer));
  }
  template <class Exec>
  std::function<void()> copying(const Buffer& to, const Buffer& from) const {
    return [this, out = floats(to), in = floats(from)] {
      copy_stream(Exec(), std::array{CopiedArray{out, in}}, count_);
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
  touch(from);
  Buffer to = allocate(MemorySpace::SystemAllocated);
  touch(to);
  best(Rate::HostCopy, 2 * size(), [&] {
    probes::host_copy_vectorised(static_cast<double*>(to.data()),
                                 static_cast<const double*>(from.data()), bytes_ / sizeof(double));
  });
  release(std::move(from));
}

void Trial::device_and_link() {
  const Buffer near(MemorySpace::Device, bytes_);
  const Buffer other(MemorySpace::Device, bytes_);
  best(Rate::DeviceCopy, 2 * size(), copying<Device>(near, other));
  if (late()) return;
  Buffer pinned = allocate(MemorySpace::HostPinned);
  touch(pinned);
  best(Rate::LinkToDevice, size(), [&] { copy(near.data(), pinned.data(), bytes_); });
  best(Rate::LinkToHost, size(), [&] { copy(pinned.data(), near.data(), bytes_); });
  best(Rate::DeviceReadsHost, size(), copying<Device>(near, pinned));
  best(Rate::DeviceWritesHost, size(), copying<Device>(pinned, near));
  const Buffer pageable(MemorySpace::SystemAllocated, bytes_);
  touch(pageable);
  best(Rate::LinkToPageable, size(), [&] { copy(pageable.data(), near.data(), bytes_); });
  if (late()) return;
  const Buffer second(MemorySpace::HostPinned, bytes_);
  best(Rate::LinkBothWays, 2 * size(), copying<Device>(pinned, second));
  release(std::move(pinned));
}

void Trial::make_pages(MemorySpace space, MemoryOperation operation,
                       const std::function<void(const Buffer&)>& make) {
  std::vector<double> lives;
  for (int n = 0; n < repeats && !late(); ++n) {
    Buffer untouched = allocate(space);
    lives.push_back(host_seconds([&] { make(untouched); }));
    release(std::move(untouched), MemoryOperation::FreeFilledByDevice);
  }
  if (!lives.empty()) set(operation, space, statistics(lives).median);
}

void Trial::moving(MemorySpace space) {
  const Buffer near(MemorySpace::Device, bytes_);
  if (refuse_prefetch(space).empty())
    make_pages(space, MemoryOperation::PrefetchToDevice,
               [](const Buffer& untouched) { prefetch(untouched, Executor::Device); });
  make_pages(space, MemoryOperation::FillByDevice, [this](const Buffer& untouched) {
    probes::device_pattern().fill(doubles(untouched), bytes_ / sizeof(double), 1);
  });
  if (late()) return;
  Buffer second = allocate(space);
  touch(second);
  if (space == MemorySpace::Managed && refuse_prefetch(space).empty() && !late()) {
    set(Rate::PrefetchToDevice, size(), host_seconds([&] { prefetch(second, Executor::Device); }));
    set(Rate::FaultsToHost, size(), touched_by_host(second));
  }
  if (space == MemorySpace::Managed && !late())
    set(Rate::FaultsToDevice, size(), host_seconds(copying<Device>(near, second)));
  release(std::move(second));
}

MachineRates Trial::rates() const {
  MachineRates out = rates_;
  out.origin =
      "a trial of " + std::to_string(static_cast<int>(1e3 * seconds_since(start_))) + " ms";
  const GpuFacts gpu = gpu_facts();
  if (gpu.name.empty()) return out;
  const SystemReach reach =
      system_reach(gpu.pageable_memory_access != 0, gpu.uses_host_page_tables != 0, gpu.numa_id);
  out.translation =
      Translation{.kind = gpu.address_translation,
                  .gpu_node = gpu.numa_id >= 0,
                  .counters = reach == SystemReach::Ats &&
                              counters_migrate(reach, linux_files::uvm_parameters("/")) != false};
  out.device_bytes = static_cast<double>(gpu.total_bytes);
  out.multiprocessors = gpu.multiprocessors;
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
