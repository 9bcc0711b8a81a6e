// Verification of the time loop: sweeps and messages as the run makes them, against the host.
#pragma once

#include "app/base/ranks/communicator.hpp"
#include "app/himeno/halo.hpp"
#include "app/himeno/problem.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>

namespace memstencil::himeno {

/// What the loop's p depends on beside the part of the grid.
struct LoopCase {
  std::optional<std::uint64_t> seed;  ///< of the coefficients that the arrays should hold
  bool fma;                           ///< does the executor contract multiply and add?
  int sweeps;                         ///< that the loop makes
};

/// p gets the values of --coefficients random:1, its halo by an exchange on the run's path, and
/// p_next NaN. After the loop p is compared to the bit with what the host evaluates from those
/// values and from coefficients of its own, at all points of `patches`. Collective.
/// @param arrays the loop's: it leaves its result in p
/// @param loop makes the sweeps
/// @throws CollectiveFailure(Verification) that names rank, point and sweep
template <class Exec>
void verify_loop(const Exec& exec, const Subdomain& part, const LoopCase& its,
                 std::span<const Box> patches, const Halo<Exec>& halo, const jacobi::Arrays& arrays,
                 const std::function<void()>& loop, const Communicator& communicator);

}  // namespace memstencil::himeno
