// The stencils of the grid codes, as far as results and the model count with them.
#pragma once

namespace memstencil::compare::model {

/// The arrays of a stencil, and the operations of a point.
struct Stencil {
  const char* program;
  double element_bytes;
  int fields;        ///< read and written in turns: p and its next
  int coefficients;  ///< read alone
  double flops;      ///< of a point
  int uncounted;     ///< points of each extent that the program's count of operations leaves out
  int most_fused;    ///< sweeps of a pass
  double of_copy;    ///< part of the copy bandwidth that a single sweep reaches

  int arrays() const { return fields + coefficients; }
  double near_bytes() const { return (2 + coefficients) * element_bytes; }  ///< of a point
};
/// himeno: 1.00 on an H100, 0.98 on an H200; heat: 0.94 and 0.80 (docs/lab/gpu-sweeps.md).
inline constexpr Stencil himeno{"himeno", 4, 2, 12, 34, 3, 4, 0.99};
inline constexpr Stencil heat{"heat", 8, 2, 0, 9, 2, 1, 0.94};

}  // namespace memstencil::compare::model
