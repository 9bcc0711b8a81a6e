// The memory limit of a run: the bandwidth that its executor gets from its memory, measured on the
// run's own arrays.
#pragma once

#include "app/common/communicator.hpp"
#include "app/himeno/placement.hpp"
#include "kernels/jacobi/grid.hpp"

#include <string>
#include <vector>

namespace memstencil::himeno {

class Fields;

struct Limit {
  std::string kind;               ///< "copy", "link" or "read stream"
  std::vector<double> samples;    ///< bytes a second over all ranks, each measurement
  double bytes_per_second = 0.0;  ///< the best of them: what a sweep could at most move
};

/// On the host a vectorised read of all arrays by all threads; on a GPU with host memory the copy
/// engine's transfer over the link; on a GPU otherwise a copy (read + written) between the arrays.
/// Overwrites the coefficients: call it last. Collective.
Limit measure_limit(const Fields& fields, const jacobi::Grid& grid, const Placement& placement,
                    const Communicator& communicator);

}  // namespace memstencil::himeno
