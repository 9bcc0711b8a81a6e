// Probe latency: the points that there are: which path goes to which memory, over which footprints.
#pragma once

#include "app/membench/probes/caches/latency_chase.cuh"
#include "kernels/host_caches.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace memstencil::membench {

/// Beyond the last cache of a host, whose lines a chase of less finds there.
inline std::size_t most_of_host() {
  return std::max(512 * mib, std::bit_ceil(4 * host_caches().last_level));
}

/// A curve of chases: the usual footprints that are powers of `powers`; 0: all. Other footprints
/// that a user asks for are measured from `least` to `most`.
struct Course {
  const char *path, *memory, *chain;
  std::size_t least, most;
  int powers;
};
inline const Course courses[]{
    {"global", "device", "random line", kib, gib, 0},
    {"global", "host-pinned", "random line", 4 * kib, 256 * mib, 4},
    {"global", "managed", "random line", 4 * kib, 256 * mib, 4},
    {"global", "system", "random line", 4 * kib, 256 * mib, 4},
    {"global past L1", "device", "random line", 64 * kib, 32 * mib, 2},
    {"global past L1", "device", "one a page", 4 * mib, 16 * gib, 2},
    {"texture", "device", "random line", kib, 512 * mib, 2},
    {"constant", "own", "random line", 256, chase_constant_bytes, 2},
    // The shared memory that a block has without an opt-in.
    {"shared", "own", "random line", kib, 48 * kib, 2},
    {"cpu", "system", "random line", 4 * kib, most_of_host(), 2},
    {"cpu", "system", "one a page", mib, most_of_host(), 2},
    {"cpu", "managed", "random line", 4 * kib, 256 * mib, 4},
    {"cpu", "managed", "one a page", mib, 256 * mib, 4},
    {"cpu", "host-pinned", "random line", 4 * kib, 256 * mib, 4},
};

/// One point an octave; two from 32 KiB to 1 GiB, four from 8 to 128 MiB, where L2s end.
inline std::vector<double> usual_footprints() {
  std::vector<double> all;
  for (std::size_t octave = 256; octave <= 16 * gib; octave *= 2) {
    const int points = octave < 32 * kib || octave >= gib        ? 1
                       : octave >= 8 * mib && octave < 128 * mib ? 4
                                                                 : 2;
    for (int n = 0; n < points; ++n)
      all.push_back(chase_line * std::floor(static_cast<double>(octave / chase_line) *
                                            std::exp2(static_cast<double>(n) / points)));
  }
  return all;
}

inline bool has(const Course& course, std::size_t footprint) {
  static const std::vector<double> usual = usual_footprints();
  if (footprint < course.least || footprint > course.most) return false;
  const bool asked_for =
      std::find(usual.begin(), usual.end(), static_cast<double>(footprint)) == usual.end();
  const bool power = std::has_single_bit(footprint) &&
                     (course.powers == 2 || std::countr_zero(footprint) % 2 == 0);
  return asked_for || course.powers == 0 || power;
}

constexpr std::array paths{"global", "global past L1", "texture", "constant", "shared", "cpu"};

inline ChasePath path_of(const Row& row) {
  return static_cast<ChasePath>(std::ranges::find(paths, row.text("path")) - paths.begin());
}

/// Without a GPU all spaces are the same host memory; its honest name is system. The host touches
/// memory that it pins, and the GPU its own.
inline bool is_there(const Row& row, const std::vector<Axis>&) {
  const std::string memory = row.text("memory");
  const bool by_host = row.is("touched", "host"), cpu = row.is("path", "cpu");
  const bool system = memory == "system", moves = memory == "managed" || system;
  if (!moves && by_host != (memory == "host-pinned")) return false;
  if (gpu_count() == 0 && !(system && by_host && cpu)) return false;
  return std::ranges::any_of(courses, [&](const Course& each) {
    return row.is("path", each.path) && memory == each.memory && row.is("chain", each.chain) &&
           has(each, row.bytes("footprint"));
  });
}

}  // namespace memstencil::membench
