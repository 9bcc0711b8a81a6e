// Moving data: copies between spaces, and asking pages to move by prefetch and advice.
#pragma once

#include "memory_spaces/buffer.hpp"

namespace memstencil {

/// Copies bytes between any two spaces, and waits for it.
void copy(void* to, const void* from, std::size_t bytes);

struct Pieces {
  std::size_t bytes, count;
};
/// Copies `count` pieces of `bytes` bytes, which start every to_step and from_step bytes, in the
/// order of a queue's kernels (`stream`: a cudaStream_t), while other queues go on. Host memory
/// must be pinned. On a host that has no queues it copies at once.
void start_copy(void* to, std::size_t to_step, const void* from, std::size_t from_step,
                const Pieces& pieces, void* stream);

/// Sets every byte, and waits for it. 0xFF makes every float a NaN: so a result that a
/// kernel did not write is found.
void fill(void* to, unsigned char byte, std::size_t bytes);

/// Asks for the whole buffer to be moved to the executor's memory, and waits for it.
/// @throws UnsupportedSpace if why_not_prefetch() has a reason
void prefetch(const Buffer& buffer, Executor target);

/// Gives the driver one hint about the whole buffer, with `target` as the processor it speaks of.
/// @throws UnsupportedSpace if why_not_advice() has a reason
void advise(const Buffer& buffer, Advice advice, Executor target);

}  // namespace memstencil
