// What memory a run takes, before anything is allocated.
#pragma once

#include "app/himeno/setup.hpp"
#include "app/placement/memory_check.hpp"

#include <vector>

namespace memstencil::himeno {

/// Of one rank: the arrays, the host's side of device memory, the halo's messages, gosa and time of every
/// sweep, and with --save-field the copy of p. With --seconds the sweeps are not known yet, and what is kept
/// of them is left out.
std::vector<Demand> demands(const Setup& setup);

}  // namespace memstencil::himeno
