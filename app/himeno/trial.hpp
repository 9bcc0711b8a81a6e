// A short trial of every kind of sweep and tile: what --sweep auto chooses by and --tune prints.
#pragma once

#include "app/common/communicator.hpp"
#include "app/himeno/limit.hpp"
#include "app/himeno/setup.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace memstencil::himeno {

/// One variant's times: seconds of a sweep (a pass over the sweeps it fuses) on the slowest rank.
struct TrialRow {
  std::size_t variant;
  int sweeps;
  std::string tile;
  std::string refused;  ///< why it was not tried, or failed; then there are no seconds
  bool failed;          ///< it ran, and its result is wrong
  std::vector<double> seconds;
};

struct Trial {
  std::vector<TrialRow> rows;
  Limit limit;
};

/// Runs all variants on arrays of their own, which are freed again: the run that follows still touches
/// its memory first. `setup` has the halo of the widest variant. Each variant's result is verified.
/// Collective. `show` gets the variant that is tried next.
Trial try_variants(const Setup& setup, const Communicator& communicator,
                   const std::function<void(const std::string&)>& show);

/// Did any variant compute wrongly?
bool any_failed(const Trial& trial);

/// The row with the least median. At least the single sweep ran.
const TrialRow& fastest(const Trial& trial);

}  // namespace memstencil::himeno
