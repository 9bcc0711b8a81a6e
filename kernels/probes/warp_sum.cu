// The sums of probe warp: four ways within a warp, the same ways within a block.
#include "kernels/probes/warp_sum.hpp"

#include "kernels/probes/check.cuh"
#include "kernels/probes/sm_clock.cuh"

#include <cub/block/block_reduce.cuh>
#include <cub/warp/warp_reduce.cuh>

#include <stdexcept>
#include <type_traits>

namespace memstencil::probes {
namespace {

constexpr unsigned whole_warp = 0xFFFFFFFF;

/// Over lanes that are `Width` apart or less; a power of 2.
template <int Width, class T>
__device__ __forceinline__ T shuffled(T value) {
#pragma unroll
  for (int mask = Width / 2; mask > 0; mask /= 2) value += __shfl_xor_sync(whole_warp, value, mask);
  return value;
}

/// A way to sum: sum() gives the group's first thread the sum, other threads anything, and leaves
/// shared memory ready for the next sum.
template <SumMethod, SumScope, class T>
struct Sum;

template <class T>
struct Sum<SumMethod::Shuffle, SumScope::Warp, T> {
  __device__ T sum(T value) { return shuffled<32>(value); }
};

template <>
struct Sum<SumMethod::Hardware, SumScope::Warp, int> {
  __device__ int sum(int value) { return __reduce_add_sync(whole_warp, value); }
};

template <class T>
struct Sum<SumMethod::Shared, SumScope::Warp, T> {
  __device__ T sum(T value) {
    __shared__ T values[sum_block];
    T* const mine = values + threadIdx.x;
    const unsigned lane = threadIdx.x % 32;
    *mine = value;
    __syncwarp();
#pragma unroll
    for (unsigned width = 16; width > 0; width /= 2) {
      if (lane < width) *mine = value += mine[width];
      __syncwarp();
    }
    return value;
  }
};

template <class T>
struct Sum<SumMethod::Cub, SumScope::Warp, T> {
  __device__ T sum(T value) {
    using Reduce = cub::WarpReduce<T>;
    __shared__ typename Reduce::TempStorage storage[sum_block / 32];
    const T result = Reduce(storage[threadIdx.x / 32]).Sum(value);
    __syncwarp();
    return result;
  }
};

/// Each warp sums by its method, the first warp sums what they left in shared memory.
template <SumMethod Method, class T>
struct Sum<Method, SumScope::Block, T> {
  __device__ T sum(T value) {
    constexpr unsigned warps = sum_block / 32;
    __shared__ T partial[warps];
    value = Sum<Method, SumScope::Warp, T>{}.sum(value);
    if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = value;
    __syncthreads();
    if (threadIdx.x < 32) {
      value = threadIdx.x < warps ? partial[threadIdx.x] : T(0);
      if constexpr (Method == SumMethod::Shuffle)
        value = shuffled<warps>(value);
      else
        value = Sum<Method, SumScope::Warp, T>{}.sum(value);
    }
    __syncthreads();
    return value;
  }
};

template <class T>
struct Sum<SumMethod::Shared, SumScope::Block, T> {
  __device__ T sum(T value) {
    __shared__ T values[sum_block];
    T* const mine = values + threadIdx.x;
    *mine = value;
    __syncthreads();
#pragma unroll
    for (unsigned width = sum_block / 2; width > 0; width /= 2) {
      if (threadIdx.x < width) *mine = value += mine[width];
      __syncthreads();
    }
    return value;
  }
};

template <class T>
struct Sum<SumMethod::Cub, SumScope::Block, T> {
  __device__ T sum(T value) {
    using Reduce = cub::BlockReduce<T, sum_block>;
    __shared__ typename Reduce::TempStorage storage;
    const T result = Reduce(storage).Sum(value);
    __syncthreads();
    return result;
  }
};

template <class T>
struct SumWork {
  int iterations;
  T carry;
  T* results;
  WarpTimes* times;
};

/// 8 blocks of 256 threads fill an SM.
template <SumMethod Method, SumScope Scope, class T>
__global__ void __launch_bounds__(sum_block, 8) sums(const __grid_constant__ SumWork<T> work) {
  constexpr unsigned group = Scope == SumScope::Warp ? 32 : sum_block;
  const unsigned place = threadIdx.x % group;
  const T own = static_cast<T>(place % 7);
  const T carry = place == 0 ? work.carry : T(0);
  Sum<Method, Scope, T> way;
  T result = 0;

  const Interval timed = time_loop(work.iterations, [&] {
#pragma unroll
    for (int k = 0; k < sums_before; ++k) result = way.sum(own + carry * result);
  });

  if (place == 0) work.results[(blockIdx.x * blockDim.x + threadIdx.x) / group] = result;
  leave_times(work.times, timed.begin, timed.end);
}

template <class T>
using Kernel = void (*)(SumWork<T>);

template <SumScope Scope, class T>
Kernel<T> kernel_of(SumMethod method) {
  switch (method) {
    case SumMethod::Shuffle:
      return sums<SumMethod::Shuffle, Scope, T>;
    case SumMethod::Shared:
      return sums<SumMethod::Shared, Scope, T>;
    case SumMethod::Cub:
      return sums<SumMethod::Cub, Scope, T>;
    case SumMethod::Hardware:
      break;
  }
  if constexpr (std::is_same_v<T, int>) return sums<SumMethod::Hardware, Scope, T>;
  throw std::logic_error("probe warp: the hardware sums integers only");
}

}  // namespace

template <class T>
void run_sums(const SumJob<T>& job) {
  const Kernel<T> kernel = job.scope == SumScope::Warp ? kernel_of<SumScope::Warp, T>(job.method)
                                                       : kernel_of<SumScope::Block, T>(job.method);
  kernel<<<job.blocks, job.threads>>>({job.sums / sums_before, job.carry, job.results, job.times});
  check_kernel("probe warp");
}

template void run_sums<int>(const SumJob<int>&);
template void run_sums<float>(const SumJob<float>&);

}  // namespace memstencil::probes
