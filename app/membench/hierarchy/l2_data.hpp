// Probe l2: which multiprocessors and which blocks of memory belong together, and what follows from
// the samples, worked out on the host.
#pragma once

#include "app/membench/core/measuring.hpp"
#include "kernels/probes/l2.hpp"
#include "kernels/probes/l2_lines.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace memstencil::membench::l2_probe {

/// The data that multiprocessors access: all, or only blocks of their own half or of the other one.
struct DataChoice {
  std::string name;                         ///< "all", "near", "far"
  std::vector<probes::StreamPlace> places;  ///< by identifier of the multiprocessor
  std::vector<std::uint32_t> blocks[2];     ///< of each group, in the order of addresses
  std::uint32_t members[2] = {0, 0};        ///< multiprocessors of each group
};

/// All multiprocessors that were met in one group, all blocks for it.
DataChoice all_data(const L2Halves& halves, std::size_t blocks);
/// A group is a half; its blocks lie in the same half, or with `far` in the other one.
/// `half_of_block`: -1 is left out.
DataChoice data_by_half(const L2Halves& halves, const std::vector<int>& half_of_block, bool far);

/// The work of a footprint in equal shares.
struct Shares {
  std::uint32_t share = 0;          ///< units of each array that a multiprocessor has
  std::size_t footprint_bytes = 0;  ///< of all arrays: at most what was asked for, if that is
                                    ///< enough for a unit each
  std::uint32_t blocks_an_array[2] = {0, 0};
  bool fits = false;  ///< are there blocks enough
};
Shares shares(const DataChoice& data, int arrays, std::size_t footprint);

/// The sum, modulo 2^32, of the words that one pass of Read reads.
std::uint32_t sum_of_pass(const DataChoice& data, const Shares& shares);

/// The bytes of Shares::footprint_bytes of each stream, by the name of its measurement.
using Footprints = std::map<std::string, std::size_t>;

/// From the medians over all experiments: `cycles` of each access and data; for each operation and
/// data a table {footprint_bytes, gbs} and, in `gbs`, the medians of its levels.
void derive(const Footprints& measured, std::size_t l2_bytes, ProbeResult& result);

}  // namespace memstencil::membench::l2_probe
