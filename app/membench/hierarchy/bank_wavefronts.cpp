// How many passes through shared memory an access of a warp takes.
#include "app/membench/hierarchy/bank_wavefronts.hpp"

#include "kernels/probes/bank_conflicts.hpp"

#include <algorithm>
#include <array>

namespace memstencil::membench {

namespace {

constexpr unsigned banks = 32;

/// The lanes of [first, last) read different words, so the fullest bank has as many passes as lanes.
int passes_of_lanes(unsigned first, unsigned last, unsigned congestion, unsigned parts) {
  std::array<int, banks> lanes{};
  for (unsigned lane = first; lane < last; ++lane)
    for (unsigned part = 0; part < parts; ++part)
      ++lanes[(probes::congested_word(lane, congestion) * parts + part) % banks];
  return *std::max_element(lanes.begin(), lanes.end());
}

}  // namespace

int bank_wavefronts(unsigned congestion, int word_bytes) {
  const unsigned parts = static_cast<unsigned>(word_bytes) / 4;
  const unsigned at_once = probes::warp_lanes / parts;
  int passes = 0;
  for (unsigned first = 0; first < probes::warp_lanes; first += at_once)
    passes += passes_of_lanes(first, first + at_once, congestion, parts);
  return passes;
}

}  // namespace memstencil::membench
