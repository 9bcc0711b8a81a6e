// The command line's requests of the memory, resolved for this machine.
#pragma once

#include "memory_spaces/memory_space.hpp"

namespace memstencil {

struct Placement {
  MemorySpace space;
  Pages pages;
  Advice advice;
  bool prefetch;
  Executor first_touch;
  Executor executor;     ///< who computes
  int ranks_of_gpu = 1;  ///< that compute on this rank's GPU, itself included
};

}  // namespace memstencil
