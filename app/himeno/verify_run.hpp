// Verification of what a solver has computed, for a run and for each kind that a trial tries.
#pragma once

#include "app/grid/verify.hpp"
#include "app/himeno/plan.hpp"
#include "app/himeno/solver.hpp"

#include <cstdint>
#include <optional>
#include <span>

namespace memstencil::himeno {

/// The sweeps whose result is verified.
struct TimedSweeps {
  std::span<const double> gosa;  ///< of each, over all ranks
  std::int64_t before;           ///< sweeps that p had made when they began
};

/// Sweeps that the check of the time loop makes: three passes, and the single sweeps that are left
/// over of so many timed ones. The solver needs room for them, too.
int verified_sweeps(const Plan& plan, std::int64_t timed);

/// p starts with the random values of a seed, whatever the coefficients are.
/// @param seed of the coefficients
/// @param fma does the executor contract multiply and add?
template <class Exec>
CheckedCode<float> checked_code(const Exec& exec, const Subdomain& part,
                                const std::optional<std::uint64_t>& seed, bool fma);

/// The five points of docs/reference/verification.md, in an order in which none renews what a later
/// one looks at. To be called before anything is sent after the timed sweeps. Overwrites both p.
/// Collective.
/// @param solver has made the sweeps in these arrays
/// @throws CollectiveFailure(Verification)
template <class Exec>
void verify_run(const Exec& exec, const Plan& plan, const Communicator& communicator,
                const Halo<Exec>& halo, const jacobi::Arrays& arrays, Solver<Exec>& solver,
                const TimedSweeps& timed);

}  // namespace memstencil::himeno
