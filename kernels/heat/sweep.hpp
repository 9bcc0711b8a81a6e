// 7-point diffusion in double: explicit steps over a grid whose boundary is 0.
#pragma once

#include "kernels/grid/grid.hpp"
#include "kernels/grid/sweep.hpp"
#include "kernels/portable.hpp"

#include <memory>

namespace memstencil::heat {

/// Diffusion of a step, in units of the grid: steps are stable up to 1/6.
inline constexpr double diffusion = 0.125;
/// Fewest bytes a point and sweep: one double read, one written; and its operations.
inline constexpr double bytes_per_point = 16.0, flops_per_point = 9.0;

/// One pass: `p` is read, `p_next` gets the result in the owned points.
struct Pass {
  Grid grid;
  const double* p;
  double* p_next;
};

/// The arrays of one rank. A pass reads p and writes p_next; then these two change places.
struct Arrays {
  using Value = double;
  using Pass = heat::Pass;
  Pass pass(const Grid& grid) const { return {grid, p, p_next}; }

  double *p, *p_next;
};

/// @param edges_first other than No: it splits, if other ranks have neighbours of its points
template <class Exec>
std::unique_ptr<Sweep<Exec, Pass>> make_sweep(const Exec& exec, const Grid& grid,
                                              EdgesFirst edges_first);

/// Writes every element of p (whole rows; the pad and the grid's boundary with 0): with a seed
/// (h >> 11) * 2^-53, h = element_hash(seed, 0, global index); otherwise the lowest eigenmode,
/// sin(pi i/(I-1)) sin(pi j/(J-1)) sin(pi k/(K-1)), which a sweep multiplies by a number. Waits.
template <class Exec>
void initialise(const Exec& exec, const Grid& grid, const Filling& filling, double* p);

/// The furthest that p is from factor * other over the owned points; a NaN is infinitely far.
template <class Exec>
double distance(const Exec& exec, const Grid& grid, const double* p, double factor,
                const double* other);

}  // namespace memstencil::heat
