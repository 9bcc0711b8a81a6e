// The sweeps of the Jacobi solver behind one contract: one call is one pass over the grid.
#pragma once

#include "kernels/jacobi/grid.hpp"

#include <memory>
#include <string>

namespace memstencil::jacobi {

/// One pass over the grid: `p` is read, `p_next` gets the result of all sweeps of the pass in the
/// owned points; its other points are left as they are, or (fixed boundary and pad, on a host that
/// writes whole lines) get the value they have in `p`.
/// `residuals` gets gosa of each sweep of the pass (sum over the owned points, in double): as many
/// values as the pass has sweeps, in memory that the executor can write.
struct Pass {
  Grid grid;
  Coefficients coefficients;
  const float* p;
  float* p_next;
  double* residuals;
};

/// A kind of sweep, prepared for one grid. On a device a pass is asynchronous: whoever reads the
/// result fences first.
class Sweep {
public:
  virtual ~Sweep() = default;
  /// Sweeps made by one pass: 1, or T where T are fused. Also the width of halo it needs.
  virtual int sweeps() const = 0;
  /// Kind and tile in a few words, for reports.
  virtual std::string describe() const = 0;
  virtual void run(const Pass& pass) = 0;
};

}  // namespace memstencil::jacobi
