// The timed updates of probe atomics, compiled for each operation, type and kind of memory.
#include "kernels/probes/atomics.hpp"

#include "kernels/probes/atomic_updates.cuh"
#include "kernels/probes/sm_clock.cuh"

#include <stdexcept>
#include <utility>

namespace memstencil::probes {
namespace {

struct AtomicsWork {
  int one;  // 1, which the compiler must not know: it has an instruction of its own for adding 1
  int shift, pitch, iterations;
  std::uint64_t initial;
  void* words;
  WarpTimes* times;
};

/// The operands of a thread's updates, one after the other: those of atomic_operand().
template <AtomicOperation Operation, class T>
struct Operands {
  T now, then;
  __device__ __forceinline__ Operands(unsigned thread, int one)
      : now(static_cast<T>(one)), then(now) {
    if constexpr (Operation != AtomicOperation::Add) {
      now = atomic_operand<T>(Operation, thread, 0);
      then = atomic_operand<T>(Operation, thread, 1);
    }
  }
  __device__ __forceinline__ T next() {
    const T operand = now;
    if constexpr (Operation == AtomicOperation::Min) --now;
    if constexpr (Operation == AtomicOperation::Max) ++now;
    if constexpr (Operation == AtomicOperation::And || Operation == AtomicOperation::Or) {
      now = then;
      then = operand;
    }
    return operand;
  }
};

/// A thread's updates, one before the clock starts (so that word and code are where they will be).
template <AtomicOperation Operation, class T, class Address>
__device__ __forceinline__ void time_updates(Address word, Operands<Operation, T> operands,
                                             const AtomicsWork& work) {
  Update<Operation, T>::in(word, operands.next());
  __syncthreads();

  const std::int64_t begin = sm_clock();
#pragma unroll 1
  for (int n = 0; n < work.iterations; ++n) {
#pragma unroll
    for (int k = 0; k < atomics_body; ++k) Update<Operation, T>::in(word, operands.next());
  }
  __threadfence();  // an update is sent off and not waited for
  leave_times(work.times, begin, sm_clock());
}

template <AtomicMemory Memory, AtomicOperation Operation, class T>
__global__ void __launch_bounds__(atomics_block, 1)
    atomics(const __grid_constant__ AtomicsWork work) {
  const unsigned thread = blockIdx.x * atomics_block + threadIdx.x;
  const Operands<Operation, T> operands(thread, work.one);
  T* const words = static_cast<T*>(work.words);
  const auto place = [&](unsigned t) {
    return (t >> work.shift) * static_cast<unsigned>(work.pitch);
  };
  if constexpr (Memory == AtomicMemory::Global) {
    time_updates(reinterpret_cast<std::uint64_t>(words + place(thread)), operands, work);
  } else {
    __shared__ T own[atomics_block];
    own[threadIdx.x] = static_cast<T>(work.initial);
    __syncthreads();
    const auto word =
        static_cast<std::uint32_t>(__cvta_generic_to_shared(own + place(threadIdx.x)));
    time_updates(word, operands, work);
    __syncthreads();
    words[thread] = own[threadIdx.x];
  }
}

using Kernel = void (*)(AtomicsWork);

template <AtomicMemory Memory, class T, std::size_t... N>
Kernel kernel_of(AtomicOperation operation, std::index_sequence<N...>) {
  Kernel found = nullptr;
  ((all_atomic_operations[N] == operation
        ? void(found = atomics<Memory, all_atomic_operations[N], T>)
        : void()),
   ...);
  return found;
}

template <AtomicMemory Memory>
Kernel kernel_of(AtomicOperation operation, AtomicType type) {
  constexpr auto operations = std::make_index_sequence<all_atomic_operations.size()>{};
  if (type == AtomicType::Int32) return kernel_of<Memory, std::uint32_t>(operation, operations);
  if (type == AtomicType::Int64) return kernel_of<Memory, std::uint64_t>(operation, operations);
  if (operation != AtomicOperation::Add)
    throw std::logic_error("probe atomics: floating-point numbers are only added");
  if (type == AtomicType::Float) return atomics<Memory, AtomicOperation::Add, float>;
  return atomics<Memory, AtomicOperation::Add, double>;
}

}  // namespace

void start_atomics(const AtomicsJob& job) {
  const Kernel kernel = job.memory == AtomicMemory::Global
                            ? kernel_of<AtomicMemory::Global>(job.operation, job.type)
                            : kernel_of<AtomicMemory::Shared>(job.operation, job.type);
  kernel<<<job.blocks, atomics_block>>>(
      {1, job.shift, job.pitch, job.updates / atomics_body, job.initial, job.words, job.times});
}

}  // namespace memstencil::probes
