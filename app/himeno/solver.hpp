// The time loop over himeno's arrays.
#pragma once

#include "app/grid/solver.hpp"
#include "kernels/jacobi/sweep.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace memstencil::himeno {

template <class Exec>
using Halo = memstencil::Halo<Exec, float>;
template <class Exec>
using Solver = memstencil::Solver<Exec, jacobi::Arrays>;

/// A run without neighbours ends at a gosa that is not finite.
/// @param most_sweeps room for gosa of so many
/// @param halo where there are other ranks; as wide as the kind has sweeps
/// @param window_bytes as for jacobi::make_sweep()
template <class Exec>
std::unique_ptr<Solver<Exec>> make_solver(const Exec& exec, const Grid& grid,
                                          const jacobi::SweepKind& kind, jacobi::Arrays& arrays,
                                          std::int64_t most_sweeps,
                                          const Halo<Exec>* halo = nullptr,
                                          std::size_t window_bytes = 0);

}  // namespace memstencil::himeno
