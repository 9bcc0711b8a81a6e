// Launches and events of a GPU, and the gate before timed work.
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

/// A word that host and GPU see. Never released: that would wait for the GPU, in each sample or
/// after the end of Kokkos.
volatile unsigned* gate_word() {
  static const Buffer* const word = new Buffer(MemorySpace::HostPinned, sizeof(unsigned), "gate");
  return static_cast<unsigned*>(word->data());
}

}  // namespace

int resident_blocks(const void* kernel, int threads) {
  int resident = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, threads, 0),
        "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
  return resident;
}

std::size_t take_all_shared_memory(const void* kernel) {
  cudaFuncAttributes own{};
  check(cudaFuncGetAttributes(&own, kernel), "cudaFuncGetAttributes");
  const int bytes = gpu_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin) -
                    static_cast<int>(own.sharedSizeBytes);
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes),
        "cudaFuncSetAttribute, shared memory");
  return static_cast<std::size_t>(bytes);
}

Gate::Gate() {
  wait_for_gpu("work before a sample");
  *gate_word() = 0;
  launch(wait_for, {1, 1}, gate_word());
}

void Gate::open() { *gate_word() = 1; }

double seconds_between(const Event& begin, const Event& end) {
  check(cudaEventSynchronize(end.get()), "work of a sample");
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, begin.get(), end.get()), "cudaEventElapsedTime");
  return static_cast<double>(milliseconds) * 1e-3;
}

double seconds_of(const std::function<void()>& work) {
  const Event begin, end;
  Gate gate;
  record(begin);
  work();
  record(end);
  gate.open();
  return seconds_between(begin, end);
}

}  // namespace memstencil::membench
