// The time of work on a GPU, by events around it.
#include "kernels/probes/clocks.hpp"

#include "kernels/probes/check.cuh"

namespace memstencil::probes {

namespace {

/// Created and destroyed with the scope: creating one takes
/// microseconds, and outside what is timed.
class Event {
public:
  Event() { check(cudaEventCreate(&event_), "cudaEventCreate"); }
  ~Event() { cudaEventDestroy(event_); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  cudaEvent_t get() const { return event_; }

private:
  cudaEvent_t event_ = nullptr;
};

}  // namespace

double seconds_of(const std::function<void()>& work) {
  const Event begin, end;
  check(cudaEventRecord(begin.get()), "cudaEventRecord");
  work();
  check(cudaGetLastError(), "kernel launch");
  check(cudaEventRecord(end.get()), "cudaEventRecord");
  check(cudaEventSynchronize(end.get()), "a kernel");
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, begin.get(), end.get()), "cudaEventElapsedTime");
  return static_cast<double>(milliseconds) * 1e-3;
}

}  // namespace memstencil::probes
