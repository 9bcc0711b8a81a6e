// What memory a run takes, before anything is allocated.
#pragma once

#include "app/himeno/setup.hpp"
#include "app/placement/memory_check.hpp"

#include <cstdint>
#include <vector>

namespace memstencil::himeno {

/// Of one rank: the arrays, the host's side of device memory, the halo's messages, what is kept of every
/// sweep, and with --save-field the copy of p. With --seconds the sweeps are not known yet, and are left out.
std::vector<Demand> demands(const Setup& setup);

/// What is kept of so many sweeps: gosa and time, the numbers in the record, and these as text.
std::vector<Demand> demands_of_sweeps(const Setup& setup, std::int64_t sweeps);

}  // namespace memstencil::himeno
