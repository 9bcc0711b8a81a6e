// The chases of probe latency: chains through memory, the footprints they
// have, and the levels that show.
#pragma once

#include "app/membench/core/probe.hpp"
#include "kernels/probes/latency.hpp"
#include "memory_spaces/memory_space.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace memstencil::membench::latency_probe {

/// next[s] is the slot that follows slot s, such that one cycle goes through all `slots` (Sattolo
/// 1986): a chase over it has the whole footprint, in an order that no prefetcher guesses. The same
/// for the same slots and seed.
std::vector<std::uint32_t> random_cycle(std::uint32_t slots, std::uint64_t seed);

/// The slot that is reached from `slot` by `steps` steps.
std::uint32_t follow(const std::vector<std::uint32_t>& next, std::uint32_t slot,
                     std::uint64_t steps);

/// Footprints from `first` to `last` bytes, `per_octave` (1..4) for each doubling, each a multiple
/// of `slot_bytes` and larger than the one before.
std::vector<std::size_t> footprints(std::size_t first, std::size_t last, int per_octave,
                                    std::size_t slot_bytes);

/// One point of a curve: medians of the samples.
struct LatencyPoint {
  std::size_t footprint_bytes = 0;
  double cycles = 0, nanoseconds = 0;  ///< of one load
};

/// A stretch of points and their common properties.
struct Plateau {
  int points = 0;
  double cycles = 0;               ///< median over the points
  double lowest = 0, highest = 0;  ///< cycles
  double nanoseconds = 0;          ///< median over the points
};

/// The stretch of all points with `first` <= footprint <= `last`; no points: all 0.
Plateau plateau(const std::vector<LatencyPoint>& curve, std::size_t first, std::size_t last);

/// One path, memory and kind of chain, over many footprints.
struct Chase {
  std::string path, memory, chain;  ///< values of the measurement's parameters
  probes::ChasePath by = probes::ChasePath::Global;
  std::optional<MemorySpace> space;  ///< where the chain lies; none: in memory of the path's own
  std::size_t slot_bytes = probes::chase_line;
  std::vector<std::size_t> footprints;

  std::string name() const { return path + ", " + memory + ", " + chain; }
};

/// Size of the pages that a GPU's memory is mapped in, and the distance of the
/// links that go from page to page.
inline constexpr std::size_t gpu_page_bytes = std::size_t{2} << 20;

/// The chases of a machine. `past_l1` and `pages`, in device memory, differ by address translation
/// alone: one stays within few pages, the other goes from page to page.
struct Chases {
  std::vector<Chase> all;
  std::string past_l1, pages;  ///< names of the two
};

/// Device memory, whose whole curve is wanted, goes up to `--size` or 1 GiB, and page by page
/// as far as half of what is free there, at most 16 GiB. `notes` gets the reason for each space
/// that the GPU does not reach.
Chases chases(const Settings& settings, std::vector<std::string>& notes);

/// A stretch of footprints that one level of the hierarchy serves.
struct Level {
  std::string name;
  std::size_t first, last;  ///< bytes, both included
};

/// The levels that a chase shows. `l2_bytes`: of the GPU.
std::vector<Level> levels(const Chase& chase, std::size_t l2_bytes);

}  // namespace memstencil::membench::latency_probe
