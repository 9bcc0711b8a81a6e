// Is the result right? Sampled points of one more pass against an evaluation on the host.
#pragma once

#include "app/himeno/fields.hpp"
#include "app/himeno/problem.hpp"

namespace memstencil::himeno {

/// Runs one more pass of the sweep into p_next, which is a copy of p afterwards, and compares up to 4096
/// random owned points of this rank with a host evaluation in double of all the pass' sweeps, from the values
/// around them. @throws Failure(Verification) naming a wrong point
void verify_samples(const Fields& fields, const Subdomain& part, const Placement& placement,
                    jacobi::Sweep& sweep, double* residuals);

}  // namespace memstencil::himeno
