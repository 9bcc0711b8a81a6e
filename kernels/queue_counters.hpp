// Numbers in a GPU's memory that queues wait for and set, without the host and without a
// multiprocessor.
#pragma once

#include <cstdint>
#include <string>

namespace memstencil {

/// The reason why queues have no such numbers here; empty if they have.
std::string why_not_queue_counters();

/// What the stream (a cudaStream_t) is given from here on starts when the number has reached
/// `value`. Kernels raise it, or other queues set it, and it may go round at 2^32. Only if
/// nothing refuses it.
/// @throws std::runtime_error with CUDA's number of the error
void wait_for_counter(const std::uint32_t* counter, std::uint32_t value, void* stream);

/// The number gets the value after all that the stream was given before. It may lie in the memory
/// of another GPU that this one reaches. As wait_for_counter().
void set_counter(std::uint32_t* counter, std::uint32_t value, void* stream);

}  // namespace memstencil
