// Bandwidths that cannot be: more than the memory or the link of the machine's description gives.
#pragma once

#include "app/compare/side.hpp"

#include <string>
#include <vector>

namespace memstencil::compare {

/// The tolerance above a machine's description: data sheets are rounded.
inline constexpr double above_theory_allowed = 0.05;

/// A line for each side of which at least one bandwidth is more than 5 % above the description's,
/// with the worst of them and the likely cause. Sides without a description have none.
std::vector<std::string> above_theory(const std::vector<Side>& sides);

}  // namespace memstencil::compare
