// Verification of a result: gosa with its known value and with the change of p, and for
// app/grid/verify.hpp points of p by a second expression of the update, which shares no code with
// the sweeps.
#pragma once

#include "app/base/ranks/communicator.hpp"
#include "app/grid/cone.hpp"
#include "kernels/grid/boxes.hpp"
#include "kernels/jacobi/sweep.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace memstencil::himeno {

/// gosa of sweep N, if it is known: by the original's arithmetic or with FMA, summed in double.
std::optional<double> known_gosa(const Triple& global, std::int64_t sweep,
                                 const std::optional<std::uint64_t>& seed, bool fma);

/// @param gosa of each sweep from the first on
/// @throws Failure(Verification) that names the first sweep whose gosa is NaN or infinite: from
///         there on p holds such a value
void verify_finite(std::span<const double> gosa);

/// @throws Failure(Verification) if gosa is known and this is not it, or is no number at all
void verify_gosa(double gosa, std::optional<double> known);

/// gosa of a sweep is the sum of squares of its changes of p, over omega, but for rounding, in any
/// case. Collective.
/// @param own the change at this rank's points
/// @throws CollectiveFailure(Verification) if rounding cannot explain the difference
void verify_gosa(double gosa, const Change& own, const Communicator& communicator);

/// Relative differences that the order of a sum may make: over ranks, and over the points of
/// compare_everywhere() (host, L: 4e-12).
inline constexpr double order_of_ranks = 1e-12, order_of_points = 1e-11;

/// gosa of two runs of one case, sweep by sweep as long as both have some.
/// @param before sweeps that came before them
/// @throws Failure(Verification) if they differ by more than `allowed`
void verify_same_gosa(std::span<const double> first, std::span<const double> other,
                      double allowed = order_of_ranks, std::int64_t before = 0);

/// p depends on these. All values are functions of the global index (docs/design.md).
struct Dependence {
  Triple global;                           ///< I, J, K of the whole grid
  std::optional<std::uint64_t> seed;       ///< of random coefficients; nothing: standard ones
  std::optional<std::uint64_t> seed_of_p;  ///< of the random values that p starts with
  bool fma;                                ///< is a*b + c rounded once, as on a GPU, or twice?
};

/// p after `sweeps` sweeps at the points of `target` (global indices, k fastest), to the bit as
/// every kind of sweep has it.
std::vector<float> evaluate(const Dependence& its, const Box& target, int sweeps);

/// The check of streamed sweeps, whose cones of dependence are too large for a host: compares p at
/// every owned point to the bit with the result of `sweeps` sweeps, by a plain kernel of the second
/// expression. They are made in memory of the executor's own, a piece of the grid after the
/// other, and points next to a piece once for each piece that depends on them.
/// @param bytes of memory that a piece may take
/// @return gosa of each sweep, of the owned points
/// @throws Failure(Verification) that names a point, or if no piece fits the memory
template <class Exec>
std::vector<double> compare_everywhere(const Exec& exec, const Subdomain& subdomain,
                                       const Dependence& its, int sweeps, const float* p,
                                       double bytes);

}  // namespace memstencil::himeno
