// The times of the laps of a loop of asynchronous kernels, without a fence between them.
#include "kernels/lap_clock.hpp"

#include "kernels/elapsed.hpp"
#include "kernels/on_host.hpp"
#include "kernels/portable.hpp"

#include <Kokkos_Core.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <deque>
#include <stdexcept>
#include <utility>

namespace memstencil {

namespace {

template <class Exec>
class HostLapClock final : public LapClock {
  using Clock = std::chrono::steady_clock;

public:
  explicit HostLapClock(const Exec& exec) : exec_(exec) {}
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
  Exec exec_;
  Clock::time_point begin_;
  std::vector<double> laps_;
};

#if defined(KOKKOS_ENABLE_CUDA)

void check(cudaError_t error) {
  if (error != cudaSuccess)
    throw std::runtime_error(std::string("lap clock: ") + cudaGetErrorString(error));
}

/// Events in a ring. At most `ahead` laps are submitted beyond the one that runs, so that progress
/// and an interrupt are never far behind; fewer where somebody looks for errors: a full queue of
/// the device would keep the host from it.
class CudaLapClock final : public LapClock {
  static constexpr std::size_t ring = 128;

public:
  CudaLapClock(const Kokkos::Cuda& exec, const std::function<void()>& look)
      : exec_(exec), look_(look), ahead_(look ? 8 : 32) {
    for (cudaEvent_t& event : events_) check(cudaEventCreate(&event));
  }
  ~CudaLapClock() override {
    for (cudaEvent_t event : events_) cudaEventDestroy(event);
  }
  void start() override { begin_ = record(); }
  void lap() override {
    const std::size_t end = record();
    pending_.emplace_back(begin_, end);
    begin_ = end;
    while (pending_.size() > ahead_) take_oldest();
  }
  const std::vector<double>& known() override {
    while (!pending_.empty() && cudaEventQuery(events_[pending_.front().second]) == cudaSuccess)
      take_oldest();
    cudaGetLastError();  // "not ready" stays behind as if it were an error
    return laps_;
  }
  std::vector<double> finish() override {
    while (!pending_.empty()) take_oldest();
    return std::exchange(laps_, {});
  }

private:
  std::size_t record() {
    next_ = (next_ + 1) % ring;
    check(cudaEventRecord(events_[next_], exec_.cuda_stream()));
    return next_;
  }
  void take_oldest() {
    const auto [begin, end] = pending_.front();
    pending_.pop_front();
    float milliseconds = 0.0F;
    if (look_) {
      while (cudaEventQuery(events_[end]) == cudaErrorNotReady) look_();
      cudaGetLastError();  // "not ready" stays behind as if it were an error
    }
    check(cudaEventSynchronize(events_[end]));
    check(cudaEventElapsedTime(&milliseconds, events_[begin], events_[end]));
    laps_.push_back(elapsed(static_cast<double>(milliseconds) * 1e-3));
  }

  Kokkos::Cuda exec_;
  std::function<void()> look_;
  std::size_t ahead_;
  std::array<cudaEvent_t, ring> events_{};
  std::size_t next_ = 0;
  std::size_t begin_ = 0;
  std::deque<std::pair<std::size_t, std::size_t>> pending_;
  std::vector<double> laps_;
};

#endif

}  // namespace

template <class Exec>
std::unique_ptr<LapClock> make_lap_clock(const Exec& exec,
                                         [[maybe_unused]] const std::function<void()>& look) {
#if defined(KOKKOS_ENABLE_CUDA)
  if constexpr (!on_host<Exec>) return std::make_unique<CudaLapClock>(exec, look);
#endif
  return std::make_unique<HostLapClock<Exec>>(exec);
}

#define MEMSTENCIL_INSTANTIATE(Exec) \
  template std::unique_ptr<LapClock> make_lap_clock(const Exec&, const std::function<void()>&);
MEMSTENCIL_FOR_EXECUTION_SPACES(MEMSTENCIL_INSTANTIATE)
#undef MEMSTENCIL_INSTANTIATE

}  // namespace memstencil
