// The sweeps of the Jacobi solver, one call a pass, on the host or on the device.
#pragma once

#include "kernels/jacobi/grid.hpp"

#include <memory>

namespace memstencil::jacobi {

/// One pass over the grid: `p` is read, `p_next` gets the result of all sweeps of the pass in the
/// owned points; its other points are left as they are.
/// `residuals` gets gosa of each sweep of the pass (sum over the owned points, in double): as many
/// values as the pass has sweeps, in memory that the executor can write.
struct Pass {
  Grid grid;
  Coefficients coefficients;
  const float* p;
  float* p_next;
  double* residuals;
};

}  // namespace memstencil::jacobi
