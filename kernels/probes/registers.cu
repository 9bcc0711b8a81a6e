// The kernel of probe registers, compiled for each number of live values and each limit.
#include "kernels/probes/registers.hpp"

#include "kernels/probes/check.cuh"

#include <stdexcept>
#include <utility>

namespace memstencil::probes {
namespace {

template <int Live, int Limit>
__global__ void __launch_bounds__(registers_block) __maxnreg__(Limit)
    registers(const __grid_constant__ RegistersJob job) {
  float x[Live];
#pragma unroll
  for (int i = 0; i < Live; ++i)
    x[i] = 0.5F * static_cast<float>(threadIdx.x) + static_cast<float>(i);
#pragma unroll 1
  for (int r = 0; r < job.rounds; ++r) {
    const float value = job.input[r * registers_block + threadIdx.x];
#pragma unroll
    for (int i = 0; i < Live; ++i) x[i] = __fmaf_rn(x[i], job.factor, value);
  }
  float sum = x[0];
#pragma unroll
  for (int i = 1; i < Live; ++i) sum = __fadd_rn(sum, x[i]);
  job.results[blockIdx.x * registers_block + threadIdx.x] = sum;
}

using Kernel = void (*)(RegistersJob);

template <int Live, std::size_t... N>
Kernel kernel_of(int limit, std::index_sequence<N...>) {
  Kernel found = nullptr;
  ((register_limits[N] == limit ? void(found = registers<Live, register_limits[N]>) : void()), ...);
  return found;
}

template <std::size_t... N>
Kernel kernel_of(int live, int limit, std::index_sequence<N...>) {
  constexpr auto limits = std::make_index_sequence<register_limits.size()>{};
  Kernel found = nullptr;
  ((live_values[N] == live ? void(found = kernel_of<live_values[N]>(limit, limits)) : void()), ...);
  if (found == nullptr) throw std::logic_error("probe registers: no kernel is compiled for this");
  return found;
}

Kernel kernel_of(int live, int limit) {
  return kernel_of(live, limit, std::make_index_sequence<live_values.size()>{});
}

}  // namespace

RegistersFacts registers_facts(int live, int limit) {
  const Kernel kernel = kernel_of(live, limit);
  cudaFuncAttributes attributes{};
  check(cudaFuncGetAttributes(&attributes, kernel), "cudaFuncGetAttributes");
  int blocks = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, registers_block, 0),
        "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
  return {attributes.numRegs, attributes.localSizeBytes, blocks * registers_block / 32};
}

void start_registers(const RegistersJob& job) {
  kernel_of(job.live, job.limit)<<<job.blocks, registers_block>>>(job);
}

}  // namespace memstencil::probes
