// The memory limit of a run: the bandwidth that its executor gets from its memory, measured on the
// run's own arrays.
#pragma once

#include "app/common/communicator.hpp"
#include "app/placement/limit.hpp"
#include "kernels/jacobi/grid.hpp"

namespace memstencil::himeno {

class Fields;

/// On the host a vectorised read of all arrays by all threads; on a GPU with arrays in host memory the
/// copy engine's transfer over the link; on a GPU otherwise a copy (read + written) between the arrays.
/// Overwrites the coefficients: call it last. Collective.
Limit measure_limit(const Fields& fields, const jacobi::Grid& grid, Executor executor,
                    const Communicator& communicator);

}  // namespace memstencil::himeno
