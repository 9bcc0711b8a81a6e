// The timed updates of probe atomics, compiled for each operation, type and kind of memory.
#include "kernels/probes/atomics.hpp"

#include "kernels/probes/atomic_updates.cuh"
#include "kernels/probes/sm_clock.cuh"

#include <stdexcept>
#include <type_traits>
#include <utility>

namespace memstencil::probes {
namespace {

struct AtomicsWork {
  int one;  // 1, which the compiler must not know: it has an instruction of its own for adding 1
  int shift, pitch, iterations;
  std::uint64_t initial;
  void* words;
  void* returned;
  WarpTimes* times;
};

/// A word's bits.
template <class T>
using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;

__device__ __forceinline__ std::uint32_t bits(std::uint32_t value) { return value; }
__device__ __forceinline__ std::uint64_t bits(std::uint64_t value) { return value; }
__device__ __forceinline__ std::uint32_t bits(float value) { return __float_as_uint(value); }
__device__ __forceinline__ std::uint64_t bits(double value) {
  return static_cast<std::uint64_t>(__double_as_longlong(value));
}

/// The operands of a thread's updates, one after the other: those of atomic_operand().
template <AtomicOperation Operation, class T>
struct Operands {
  T now, then;
  __device__ __forceinline__ Operands(unsigned thread, int one)
      : now(static_cast<T>(one)), then(now) {
    if constexpr (!adds(Operation)) {
      now = atomic_operand<T>(Operation, thread, 0);
      then = atomic_operand<T>(Operation, thread, 1);
    }
  }
  __device__ __forceinline__ T next() {
    const T operand = now;
    if constexpr (Operation == AtomicOperation::Min) --now;
    if constexpr (Operation == AtomicOperation::Max || Operation == AtomicOperation::Exchange ||
                  Operation == AtomicOperation::CompareAndSwap)
      ++now;
    if constexpr (Operation == AtomicOperation::And || Operation == AtomicOperation::Or) {
      now = then;
      then = operand;
    }
    return operand;
  }
};

/// One update, whose old value is added to `returned`.
template <AtomicOperation Operation, class T, class Address>
__device__ __forceinline__ void update(Address word, Operands<Operation, T>& operands,
                                       Bits<T>& returned) {
  const T operand = operands.next();
  if constexpr (Operation == AtomicOperation::CompareAndSwap)
    returned += Update<Operation, T>::in(word, operand) == operand ? 1 : 0;
  else if constexpr (returns_old(Operation))
    returned += bits(Update<Operation, T>::in(word, operand));
  else
    Update<Operation, T>::in(word, operand);
}

/// A thread's updates, one before the clock starts (so that word and code are where they will be).
template <AtomicOperation Operation, class T, class Address>
__device__ __forceinline__ void time_updates(Address word, Operands<Operation, T> operands,
                                             const AtomicsWork& work) {
  Bits<T> returned = 0;
  update<Operation, T>(word, operands, returned);
  __syncthreads();

  const std::int64_t begin = sm_clock();
#pragma unroll 1
  for (int n = 0; n < work.iterations; ++n) {
#pragma unroll
    for (int k = 0; k < atomics_body; ++k) update<Operation, T>(word, operands, returned);
  }
  __threadfence();  // an update is sent off and not waited for
  leave_times(work.times, begin, sm_clock());
  if constexpr (returns_old(Operation))
    static_cast<Bits<T>*>(work.returned)[blockIdx.x * atomics_block + threadIdx.x] = returned;
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

template <AtomicMemory Memory, class T>
Kernel kernel_of_adding(AtomicOperation operation) {
  switch (operation) {
    case AtomicOperation::Add:
      return atomics<Memory, AtomicOperation::Add, T>;
    case AtomicOperation::AddReturning:
      return atomics<Memory, AtomicOperation::AddReturning, T>;
    case AtomicOperation::PlainAdd:
      return atomics<Memory, AtomicOperation::PlainAdd, T>;
    default:
      throw std::logic_error("probe atomics: floating-point numbers are only added");
  }
}

template <AtomicMemory Memory>
Kernel kernel_of(AtomicOperation operation, AtomicType type) {
  constexpr auto operations = std::make_index_sequence<all_atomic_operations.size()>{};
  if (type == AtomicType::Int32) return kernel_of<Memory, std::uint32_t>(operation, operations);
  if (type == AtomicType::Int64) return kernel_of<Memory, std::uint64_t>(operation, operations);
  if (type == AtomicType::Float) return kernel_of_adding<Memory, float>(operation);
  return kernel_of_adding<Memory, double>(operation);
}

}  // namespace

void start_atomics(const AtomicsJob& job) {
  const Kernel kernel = job.memory == AtomicMemory::Global
                            ? kernel_of<AtomicMemory::Global>(job.operation, job.type)
                            : kernel_of<AtomicMemory::Shared>(job.operation, job.type);
  kernel<<<job.blocks, atomics_block>>>({1, job.shift, job.pitch, job.updates / atomics_body,
                                         job.initial, job.words, job.returned, job.times});
}

}  // namespace memstencil::probes
