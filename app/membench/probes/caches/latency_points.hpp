// Probe latency: the points that there are: which path goes to which memory, over which footprints.
#pragma once

#include "app/membench/probes/caches/latency_chase.cuh"
#include "kernels/host_caches.hpp"
#include "memory_spaces/capabilities.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace memstencil::membench {

namespace {

enum class ChainKind { Lines, Pages, Pairs };

/// Beyond the last cache of a host, whose lines a chase of less finds there.
std::size_t most_of_host() {
  return std::max(512 * mib, std::bit_ceil(4 * host_caches().last_level));
}

/// Everything there is to chase. Of the usual footprints those that are powers of `powers`; 0: all.
/// What a user asks for beside them is measured from `least` to `most`.
struct Course {
  ChasePath path;
  const char* memory;
  ChainKind kind;
  std::size_t least, most;
  int powers;
};
const Course courses[]{
    {ChasePath::Global, "device", ChainKind::Lines, kib, gib, 0},
    {ChasePath::Global, "device", ChainKind::Pairs, 8 * mib, 8 * mib, 2},
    {ChasePath::Global, "device", ChainKind::Pairs, 512 * mib, 512 * mib, 2},
    {ChasePath::Global, "host-pinned", ChainKind::Lines, 4 * kib, 256 * mib, 4},
    {ChasePath::Global, "managed", ChainKind::Lines, 4 * kib, 256 * mib, 4},
    {ChasePath::Global, "system", ChainKind::Lines, 4 * kib, 256 * mib, 4},
    {ChasePath::GlobalPastL1, "device", ChainKind::Lines, 64 * kib, 32 * mib, 2},
    {ChasePath::GlobalPastL1, "device", ChainKind::Pages, 4 * mib, 16 * gib, 2},
    {ChasePath::Texture, "device", ChainKind::Lines, kib, 512 * mib, 2},
    {ChasePath::Constant, "own", ChainKind::Lines, 256, chase_constant_bytes, 2},
    // The shared memory that a block has without an opt-in.
    {ChasePath::Shared, "own", ChainKind::Lines, kib, 48 * kib, 2},
    {ChasePath::Local, "own", ChainKind::Lines, kib, chase_local_words[1] * chase_line, 2},
    {ChasePath::Cpu, "system", ChainKind::Lines, 4 * kib, most_of_host(), 2},
    {ChasePath::Cpu, "system", ChainKind::Pages, mib, most_of_host(), 2},
    {ChasePath::Cpu, "system", ChainKind::Pairs, 8 * mib, 8 * mib, 2},
    {ChasePath::Cpu, "system", ChainKind::Pairs, 512 * mib, 512 * mib, 2},
    {ChasePath::Cpu, "managed", ChainKind::Lines, 4 * kib, 256 * mib, 4},
    {ChasePath::Cpu, "managed", ChainKind::Pages, mib, 256 * mib, 4},
    {ChasePath::Cpu, "host-pinned", ChainKind::Lines, 4 * kib, 256 * mib, 4},
};

/// One point an octave; two from 32 KiB to 1 GiB, four from 8 to 128 MiB, where L2s end.
std::vector<double> usual_footprints() {
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

bool has(const Course& course, std::size_t footprint) {
  static const std::vector<double> usual = usual_footprints();
  if (footprint < course.least || footprint > course.most) return false;
  const bool asked_for =
      std::find(usual.begin(), usual.end(), static_cast<double>(footprint)) == usual.end();
  const bool power = std::has_single_bit(footprint) &&
                     (course.powers == 2 || std::countr_zero(footprint) % 2 == 0);
  return asked_for || course.powers == 0 || power;
}

constexpr std::array paths{"global", "global past L1", "texture", "constant",
                           "shared", "local",          "cpu"};

ChasePath path_of(const Row& row) {
  return static_cast<ChasePath>(std::ranges::find(paths, row.text("path")) - paths.begin());
}
ChainKind kind_of(const Row& row) {
  if (row.is("chain", "random line")) return ChainKind::Lines;
  return row.is("chain", "one a page") ? ChainKind::Pages : ChainKind::Pairs;
}

/// Without a GPU all spaces are the same host memory; its honest name is system.
std::vector<Row> points(const std::vector<Axis>& axes) {
  std::vector<Row> all;
  const Axis& footprints = axes.back();
  for (Row& row : combinations({axes.begin(), axes.end() - 1})) {
    const ChasePath path = path_of(row);
    const ChainKind kind = kind_of(row);
    const std::string memory = row.text("memory");
    const bool by_host = row.is("touched", "host"), cpu = path == ChasePath::Cpu;
    // Pinning touches the memory by the host, and nobody else reaches the others.
    const bool moves = memory == "managed" || memory == "system";
    if (!moves && by_host != (memory == "host-pinned")) continue;
    if (gpu_count() == 0 && (memory != "system" || !by_host || !cpu)) continue;
    if (row.is("pages", "huge") &&
        (!cpu || memory != "system" || !by_host || kind == ChainKind::Pairs))
      continue;
    for (const Value& footprint : footprints.values) {
      const auto bytes = static_cast<std::size_t>(std::get<double>(footprint));
      row.set(footprints.name, footprint);
      if (std::any_of(std::begin(courses), std::end(courses), [&](const Course& each) {
            return each.path == path && each.memory == memory && each.kind == kind &&
                   has(each, bytes);
          }))
        all.push_back(row);
    }
  }
  return all;
}

}  // namespace

}  // namespace memstencil::membench
