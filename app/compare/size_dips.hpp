// Matrices whose rows are multiples of 512 against their neighbours in a sweep of sizes.
#pragma once

#include "app/compare/side.hpp"

#include <optional>
#include <utility>
#include <vector>

namespace memstencil::compare {

/// [ufrgs-thesis], sections 4.3.3 and 4.4: eight partitions of 256 bytes, so that 512 floats on a
/// column comes to the same partition again.
inline constexpr std::int64_t partitions_repeat = 512;

/// Rates at multiples of 512, each over the mean of the rates at the sizes before and behind it.
struct Dip {
  double median = 0, lowest = 0;  ///< 1: no dip
  std::int64_t lowest_at = 0;
  std::size_t multiples = 0;  ///< that have two neighbours which are none
};

/// @param rates by size, ascending; nothing where no multiple has two neighbours
std::optional<Dip> dip_of(const std::vector<std::pair<std::int64_t, double>>& rates);

/// A row for each variant of each sweep of sizes.
Table dips_table(const std::vector<Side>& sides);

}  // namespace memstencil::compare
