// The probe of the eight copy patterns: source x destination x executor, by first touch.
#pragma once

#include "app/membench/placement/series.hpp"

#include <array>

namespace memstencil::membench::patterns_probe {

/// One of the eight patterns of [tsukuba-thesis-2024], section 4.2.1.
struct Pattern {
  int number;            ///< the thesis' (1)..(8)
  Executor source;       ///< who touches it first: in whose memory it starts
  Executor destination;  ///< the same
  Executor executor;     ///< who copies
};

/// In the thesis' order as far as its text tells: the host copies in (1) to
/// (4), (1) is all on the host,
/// (4) is the host on device memory, (2) and (3) reach over the link in one direction, (5) to (7)
/// the GPU over the link, (8) is all on the GPU. Figure 4.1, which would tell (2) from (3) and (5),
/// (6) and (7) apart, is not in the text: that the destination goes from host to device faster than
/// the source is our assumption.
const std::array<Pattern, 8>& patterns();

/// The series of all patterns in memory made by `make`; `gpu_node` as ResidencyTable's.
ProbeResult measure_patterns(const Settings& settings, MemorySpace space, int gpu_node,
                             const MakeArrays& make);

}  // namespace memstencil::membench::patterns_probe
