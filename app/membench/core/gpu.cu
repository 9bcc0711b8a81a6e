// Events around work on a GPU, and the gate before it.
#include "app/membench/core/gpu.cuh"

namespace memstencil::membench {

namespace {

__global__ void wait_for(const volatile unsigned* open) {
  constexpr unsigned long long most_ns = 20'000'000;
  unsigned long long begin = 0, now = 0;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
  do {
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  } while (*open == 0 && now - begin < most_ns);
}

/// A word that host and GPU see, for the life of the process.
volatile unsigned* gate_word() {
  static unsigned* word = [] {
    void* memory = nullptr;
    check(cudaHostAlloc(&memory, sizeof(unsigned), cudaHostAllocPortable), "cudaHostAlloc");
    return static_cast<unsigned*>(memory);
  }();
  return word;
}

}  // namespace

int attribute(cudaDeviceAttr which) {
  int device = 0, value = 0;
  check(cudaGetDevice(&device), "cudaGetDevice");
  check(cudaDeviceGetAttribute(&value, which, device), "cudaDeviceGetAttribute");
  return value;
}

Gate::Gate() {
  check(cudaDeviceSynchronize(), "work before a sample");
  *gate_word() = 0;
  wait_for<<<1, 1>>>(gate_word());
  check(cudaGetLastError(), "gate");
}

void Gate::open() { *gate_word() = 1; }

double Event::seconds_since(const Event& begin) const {
  check(cudaEventSynchronize(event_), "a kernel");
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, begin.event_, event_), "cudaEventElapsedTime");
  return static_cast<double>(milliseconds) * 1e-3;
}

double seconds_of(const std::function<void()>& work) {
  const Event begin, end;
  Gate gate;
  begin.record();
  work();
  check(cudaGetLastError(), "kernel launch");
  end.record();
  gate.open();
  return end.seconds_since(begin);
}

}  // namespace memstencil::membench
