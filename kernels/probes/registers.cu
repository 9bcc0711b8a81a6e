// The kernel of probe registers, compiled for each number of live values and each limit.
#include "kernels/probes/registers.hpp"

#include "kernels/probes/check.cuh"

#include <stdexcept>
#include <utility>

namespace memstencil::probes {
namespace {

__device__ float fused(float a, float b, float c) { return __fmaf_rn(a, b, c); }
__device__ double fused(double a, double b, double c) { return __fma_rn(a, b, c); }
__device__ float added(float a, float b) { return __fadd_rn(a, b); }
__device__ double added(double a, double b) { return __dadd_rn(a, b); }

template <class T, int Live, int Limit>
__global__ void __launch_bounds__(registers_block) __maxnreg__(Limit)
    registers(const __grid_constant__ RegistersJob<T> job) {
  T x[Live];
#pragma unroll
  for (int i = 0; i < Live; ++i) x[i] = T(0.5) * static_cast<T>(threadIdx.x) + static_cast<T>(i);
#pragma unroll 1
  for (int r = 0; r < job.rounds; ++r) {
    const T value = job.input[r * registers_block + threadIdx.x];
#pragma unroll
    for (int i = 0; i < Live; ++i) x[i] = fused(x[i], job.factor, value);
  }
  T sum = x[0];
#pragma unroll
  for (int i = 1; i < Live; ++i) sum = added(sum, x[i]);
  job.results[blockIdx.x * registers_block + threadIdx.x] = sum;
}

template <class T>
using Kernel = void (*)(RegistersJob<T>);

template <class T, int Live, std::size_t... N>
Kernel<T> kernel_of(int limit, std::index_sequence<N...>) {
  Kernel<T> found = nullptr;
  ((register_limits[N] == limit ? void(found = registers<T, Live, register_limits[N]>) : void()),
   ...);
  return found;
}

template <class T, std::size_t... N>
Kernel<T> kernel_of(int live, int limit, std::index_sequence<N...>) {
  constexpr auto limits = std::make_index_sequence<register_limits.size()>{};
  Kernel<T> found = nullptr;
  ((live_values<T>[N] == live ? void(found = kernel_of<T, live_values<T>[N]>(limit, limits))
                              : void()),
   ...);
  if (found == nullptr) throw std::logic_error("probe registers: no kernel is compiled for this");
  return found;
}

template <class T>
Kernel<T> kernel_of(int live, int limit) {
  return kernel_of<T>(live, limit, std::make_index_sequence<live_values<T>.size()>{});
}

}  // namespace

template <class T>
RegistersFacts registers_facts(int live, int limit) {
  const Kernel<T> kernel = kernel_of<T>(live, limit);
  cudaFuncAttributes attributes{};
  check(cudaFuncGetAttributes(&attributes, kernel), "cudaFuncGetAttributes");
  int blocks = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, registers_block, 0),
        "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
  return {attributes.numRegs, attributes.localSizeBytes, blocks * registers_block / 32};
}

template <class T>
void start_registers(const RegistersJob<T>& job) {
  kernel_of<T>(job.live, job.limit)<<<job.blocks, registers_block>>>(job);
}

template RegistersFacts registers_facts<float>(int, int);
template RegistersFacts registers_facts<double>(int, int);
template void start_registers<float>(const RegistersJob<float>&);
template void start_registers<double>(const RegistersJob<double>&);

}  // namespace memstencil::probes
