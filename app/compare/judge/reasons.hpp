// Why one memory or side takes longer than another, in seconds of named parts.
#pragma once

#include "app/compare/read/side.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace memstencil::compare {

/// The parts of the fastest one's time: "73 % sweeps at 0.95 of the 3018 GB/s of device memory".
std::string why_fast(const Sample& best, std::int64_t steps);

/// The reasons why two memories or sides differ, the greatest first: "sweeps 0.356 against 0.514 s:
/// device memory 1.41 times as fast (4266 against 3019 GB/s)", or "sweeps equally fast; filled by
/// the host 0.815 s".
/// @param noise within it the times of two steps are equal, and it is said
std::string why_different(const Sample& here, const Sample& there, std::int64_t steps,
                          double noise = 0);
/// Why one case is faster than another, in a sentence and in a few words. It is given only where it
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

/// Of registered memory: "registered pages of 2 MiB".
std::string pages_in_words(const Sample& sample);

/// Where pages of memory that can move were, and whether they moved; empty of other memory.
std::string pages_text(const Sample& sample);

}  // namespace memstencil::compare
