// The host's threads; and its queues, events and lap clocks: it runs one kernel at a time, so there
// is nothing to wait for.
#include "kernels/elapsed.hpp"
#include "kernels/queue.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <thread>
#include <utility>
#if defined(KOKKOS_ENABLE_OPENMP)
#include <omp.h>
#endif

namespace memstencil {

int host_threads() {
  if (const char* const asked = std::getenv("KOKKOS_NUM_THREADS"))
    return std::max(std::atoi(asked), 1);
#if defined(KOKKOS_ENABLE_OPENMP)
  return omp_get_max_threads();
#elif defined(KOKKOS_ENABLE_THREADS) || defined(KOKKOS_ENABLE_HPX)
  return static_cast<int>(std::max(std::thread::hardware_concurrency(), 1U));
#else
  return 1;
#endif
}

using Host = Kokkos::DefaultHostExecutionSpace;

template <>
void* stream_of(const Host&) {
  return nullptr;
}
template <>
Event<Host>::Event() = default;
template <>
void Event<Host>::record(const Host&) {}
template <>
bool Event<Host>::query() const {
  return true;
}
template <>
Queue<Host>::Queue() = default;
template <>
void Queue<Host>::wait_for(const Event<Host>&) const {}

namespace {

class HostLapClock final : public LapClock {
  using Clock = HostClock;

public:
  explicit HostLapClock(const Host& exec) : exec_(exec) {}
  void start() override {
    exec_.fence("lap clock");
    begin_ = Clock::now();
  }
  void lap() override {
    exec_.fence("lap clock");
    const Clock::time_point end = Clock::now();
    laps_.push_back(elapsed(std::chrono::duration<double>(end - begin_).count()));
    begin_ = end;
  }
  const std::vector<double>& known() override { return laps_; }
  std::vector<double> finish() override { return std::exchange(laps_, {}); }

private:
  Host exec_;
  Clock::time_point begin_;
  std::vector<double> laps_;
};

}  // namespace

template <>
std::unique_ptr<LapClock> make_lap_clock(const Host& exec, const std::function<void()>&) {
  return std::make_unique<HostLapClock>(exec);
}

}  // namespace memstencil
