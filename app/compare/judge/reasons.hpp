// Why one memory or side takes longer than another, in seconds of named parts.
#pragma once

#include "app/compare/read/side.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace memstencil::compare {

/// The parts of the fastest one's time: "73 % sweeps at 0.95 of the 3018 GB/s of device memory".
std::string why_fast(const Sample& best, std::int64_t steps);

/// Why one case is faster than another, in a sentence and in a few words. It is given only if it
/// points the same way as the difference, explains at least half of it, and comes from limits that
/// were undisturbed and whose ranges do not overlap, or from a phase that was timed.
struct Cause {
  std::string sentence, brief;
};
std::optional<Cause> cause_of(const Group& fast, const Group& slow, std::int64_t steps);

/// The part in which a run takes longest in excess of another one: "release".
struct Excess {
  std::string part;
  double seconds = 0;  ///< of the part
};
Excess greatest_excess(const Sample& here, const Sample& best, std::int64_t steps);

/// Where pages of memory that can move were, and whether they moved; empty of other memory.
std::string pages_text(const Sample& sample);

}  // namespace memstencil::compare
