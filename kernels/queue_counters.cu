// Numbers in a GPU's memory that queues wait for and set, without the host and without a
// multiprocessor.
#include "kernels/queue_counters.hpp"

#include "kernels/cuda_calls.cuh"

#include <cuda.h>
#include <cudaTypedefs.h>

#include <stdexcept>

namespace memstencil {

namespace {

PFN_cuStreamWaitValue32_v11070 wait_function() {
  static const auto found = driver_function<PFN_cuStreamWaitValue32_v11070>("cuStreamWaitValue32");
  return found;
}
PFN_cuStreamWriteValue32_v11070 write_function() {
  static const auto found =
      driver_function<PFN_cuStreamWriteValue32_v11070>("cuStreamWriteValue32");
  return found;
}

void check_counter(CUresult status) {
  if (status != CUDA_SUCCESS)
    throw std::runtime_error("counters of queues: error " +
                             std::to_string(static_cast<int>(status)));
}

CUdeviceptr address(const std::uint32_t* counter) { return reinterpret_cast<CUdeviceptr>(counter); }

}  // namespace

std::string why_not_queue_counters() {
  if (wait_function() != nullptr && write_function() != nullptr) return {};
  return "the driver has no cuStreamWaitValue32";
}

void wait_for_counter(const std::uint32_t* counter, std::uint32_t value, void* stream) {
  check_counter(wait_function()(static_cast<CUstream>(stream), address(counter), value,
                                CU_STREAM_WAIT_VALUE_GEQ));
}

void set_counter(std::uint32_t* counter, std::uint32_t value, void* stream) {
  check_counter(write_function()(static_cast<CUstream>(stream), address(counter), value,
                                 CU_STREAM_WRITE_VALUE_DEFAULT));
}

}  // namespace memstencil
