// Verification of a result: sampled points of one more pass are compared with an evaluation on the
// host, gosa with its value where that is known, and for app/grid/verify.hpp points of p by a
// second expression of the update, which shares no code with the sweeps.
#pragma once

#include "app/base/ranks/communicator.hpp"
#include "app/grid/cone.hpp"
#include "app/himeno/plan.hpp"
#include "kernels/grid/boxes.hpp"
#include "kernels/jacobi/sweep.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace memstencil::himeno {

/// The cube of side 2 radius + 1 around one point, out of every array by ArrayId.
struct Cube {
  int radius;
  const float* values;  ///< array_count * size() values, k fastest

  int side() const { return 2 * radius + 1; }
  std::size_t size() const {
    return static_cast<std::size_t>(side()) * static_cast<std::size_t>(side() * side());
  }
  std::size_t index(int i, int j, int k) const {
    return static_cast<std::size_t>(((i + radius) * side() + j + radius) * side() + k + radius);
  }
  double at(jacobi::ArrayId array, std::size_t n) const {
    return static_cast<double>(values[array * size() + n]);
  }
};

/// What the samples take, on the host and in memory of the executor's own.
double bytes_of_samples(const Grid& grid, int sweeps);

struct Expected {
  double p;      ///< the value at the centre after the sweeps, evaluated in double
  double error;  ///< how far float arithmetic may be from it
};

/// Makes `sweeps` (= cube.radius) sweeps around the centre. `interior`: the points that
/// change, relative to the centre.
Expected expected(const Cube& cube, int sweeps, const Box& interior);

/// @throws Failure(Verification) where `got` is not what is expected at this
///   global point, NaN included
void verify_point(const Expected& want, float got, const Triple& point, int rank);

/// gosa of sweep N where it is known: by the original's arithmetic or with FMA, summed in double.
std::optional<double> known_gosa(const Triple& global, std::int64_t sweep,
                                 const std::optional<std::uint64_t>& seed, bool fma);

/// @param gosa of sweeps one after the other
/// @param before how many sweeps came before them
/// @throws Failure(Verification) that names the first sweep whose gosa is NaN or infinite: from
///         there on p holds such a value, and no later sweep is worth its time
void verify_finite(std::span<const double> gosa, std::int64_t before);

/// @throws Failure(Verification) where gosa is known and this is not it, or is no number at all
void verify_gosa(double gosa, std::optional<double> known);

/// gosa of a sweep is the sum of squares of what it has changed p by, over omega, but for rounding:
/// known of any case. Collective.
/// @param own the change at this rank's points
/// @throws CollectiveFailure(Verification) where rounding cannot explain the difference
void verify_gosa(double gosa, const Change& own, const Communicator& communicator);

/// Of two runs of one case, sweep by sweep as long as both have some.
/// @param before as verify_finite()
/// @throws Failure(Verification) where they differ
void verify_same_gosa(std::span<const double> first, std::span<const double> other,
                      std::int64_t before = 0);

/// Runs one more pass of the sweep into p_next, which is a copy of p afterwards, and compares up to
/// 4096 random owned points of this rank with a host evaluation in double of all the pass' sweeps,
/// from the values around them.
/// @throws Failure(Verification) naming a wrong point
template <class Exec>
void verify_samples(const Exec& exec, const Subdomain& part, const jacobi::Arrays& arrays,
                    jacobi::Sweep<Exec>& sweep, double* residuals);

/// What p depends on. All values are functions of the global index (docs/design.md).
struct Dependence {
  Triple global;                           ///< I, J, K of the whole grid
  std::optional<std::uint64_t> seed;       ///< of random coefficients; nothing: standard ones
  std::optional<std::uint64_t> seed_of_p;  ///< of the random values that p starts with
  bool fma;                                ///< is a*b + c rounded once, as on a GPU, or twice?
};

/// p after so many sweeps at the points of `target` (global indices, k fastest), to the bit as
/// every kind of sweep has it.
std::vector<float> evaluate(const Dependence& its, const Box& target, int sweeps);

}  // namespace memstencil::himeno
