// Is the result right? Sampled points against an evaluation on the host, gosa against known values.
#pragma once

#include "app/himeno/fields.hpp"
#include "app/himeno/problem.hpp"

#include <cstdint>
#include <optional>

namespace memstencil::himeno {

/// Runs one more pass of the sweep (p_next is overwritten, p stays) and compares up to 4096 random
/// owned points of this rank with a host evaluation in double of all the pass' sweeps, from the values
/// around them. @throws Failure(Verification) naming the worst point
void verify_samples(const Fields& fields, const Subdomain& part, const Placement& placement,
                    jacobi::Sweep& sweep, double* residuals);

/// gosa of sweep N where it is known (the original's arithmetic, summed in double).
std::optional<double> known_gosa(const Triple& global, std::int64_t sweep,
                                 const std::optional<std::uint64_t>& seed);

/// How far gosa may be from the known value, relative: on a host the arithmetic is the original's; with
/// FMA a sum of cancelling terms differs more than one of random coefficients.
double gosa_tolerance(bool fma, bool random);

/// @throws Failure(Verification) where gosa is known and this is not it, or is no number at all
void verify_gosa(double gosa, std::optional<double> known, double tolerance);

}  // namespace memstencil::himeno
