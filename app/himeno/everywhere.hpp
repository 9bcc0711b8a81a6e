// All points of a rank after some sweeps, by a plain kernel of the second expression of the update:
// the check of streamed sweeps, whose cones of dependence are too large for a host.
#pragma once

#include "app/himeno/verify.hpp"

#include <vector>

namespace memstencil::himeno {

/// Compares p at every owned point to the bit with the result of `sweeps` sweeps of values of the
/// global index. They are made in memory of the executor's own, a piece of the grid after the
/// other, and points next to a piece once for each piece that depends on them.
/// @param bytes of memory that a piece may take
/// @return gosa of each sweep, of the owned points
/// @throws Failure(Verification) that names a point, or if no piece fits the memory
template <class Exec>
std::vector<double> compare_everywhere(const Exec& exec, const Subdomain& subdomain,
                                       const Dependence& its, int sweeps, const float* p,
                                       double bytes);

}  // namespace memstencil::himeno
