// p after some sweeps over a cone of dependence, by the second expression of the update: one engine
// for the few points that a host checks and for all points, which a plain kernel checks.
#include "app/base/runtime/execution.hpp"
#include "app/grid/verify.hpp"
#include "app/himeno/second_expression.hpp"
#include "app/himeno/verify.hpp"
#include "memory_spaces/buffer.hpp"
#include "memory_spaces/movement.hpp"

#include <fmt/format.h>
#include <Kokkos_Core.hpp>

#include <algorithm>
#include <utility>

namespace memstencil::himeno {

namespace {

/// The coefficients and p twice.
constexpr int arrays_of_piece = second::ids + 1;

/// Points of a box of the whole grid, as arrays of `grid`.
struct Piece {
  Box box;
  Grid grid;

  /// @param pitch (elements of a row) gives the elements from row to row
  template <class Pitch>
  Piece(const Box& whole, const Pitch& pitch) : box(whole), grid{} {
    for (std::size_t d = 0; d < 3; ++d) grid.extents[d] = box.hi[d] - box.lo[d];
    grid.pitch = pitch(grid.extents[2]);
  }
  Box local(Box points) const {
    for (std::size_t d = 0; d < 3; ++d) points.lo[d] -= box.lo[d], points.hi[d] -= box.lo[d];
    return points;
  }
};

/// The points that p at `target` depends on.
Box depended_on(const Dependence& its, const Box& target, std::size_t sweeps) {
  return grown(target, static_cast<std::int64_t>(sweeps), whole_grid(its.global));
}

/// Writes a point's first value; adds nothing to a sum.
struct FirstValues {
  Grid grid;
  Box box;
  std::int64_t global[3];
  second::Id id;
  bool random;
  std::uint64_t seed;
  float* to;
  MEMSTENCIL_FUNCTION double operator()(std::int64_t i, std::int64_t j, std::int64_t k) const {
    const std::int64_t plane = i + box.lo[0];
    const float around = second::standard(id, plane, global[0]);
    const auto point =
        static_cast<std::uint64_t>((plane * global[1] + j + box.lo[1]) * global[2] + k + box.lo[2]);
    to[grid.row(i, j) + static_cast<std::size_t>(k)] =
        random ? second::random(id, seed, point, around) : around;
    return 0;
  }
};

/// Updates a point; adds the square of its residual to gosa if the point is one of `counted`.
template <bool fma>
struct PlainSweep {
  Grid grid;
  Box counted;
  const float* coefficients;
  std::size_t step;  ///< from one array to the next
  const float* p;
  float* next;
  MEMSTENCIL_FUNCTION double operator()(std::int64_t i, std::int64_t j, std::int64_t k) const {
    const std::size_t place = grid.row(i, j) + static_cast<std::size_t>(k);
    const auto of_point = [&](second::Id id) {
      return coefficients[static_cast<std::size_t>(id) * step + place];
    };
    const float residual = second::residual<fma>(
        p + place, of_point, static_cast<std::ptrdiff_t>(grid.row(1, 0)), grid.pitch, 1);
    next[place] = second::updated<fma>(p[place], residual);
    const bool counts = counted.lo[0] <= i && i < counted.hi[0] && counted.lo[1] <= j &&
                        j < counted.hi[1] && counted.lo[2] <= k && k < counted.hi[2];
    return counts ? static_cast<double>(second::product(residual, residual)) : 0.0;
  }
};

/// Fills the arrays of a piece, and sweeps as often as gosa has numbers over the points that those
/// of `target` depend on. Returns p of the piece, right at `target`.
/// @param loop (box, body) calls body(i, j, k) at every point, and returns the sum of its results
/// @param arrays arrays_of_piece * piece.grid.elements() floats
/// @param gosa each sweep's sum over `target` is added to it
template <class Loop>
float* evaluate_piece(const Loop& loop, const Dependence& its, const Piece& piece,
                      const Box& target, float* arrays, std::vector<double>& gosa) {
  const std::size_t step = piece.grid.elements();
  const auto fill = [&](second::Id id, float* to) {
    const auto& seed = id == second::pressure ? its.seed_of_p : its.seed;
    FirstValues values{piece.grid, piece.box, {}, id, seed.has_value(), seed.value_or(0), to};
    std::copy(its.global.begin(), its.global.end(), values.global);
    loop(piece.grid.all(), values);
  };
  for (int id = 0; id < second::ids; ++id)
    fill(static_cast<second::Id>(id), arrays + static_cast<std::size_t>(id) * step);
  float *now = arrays + second::pressure * step, *next = arrays + second::ids * step;
  fill(second::pressure, next);
  const Box counted = piece.local(target);
  for (std::size_t n = 0; n < gosa.size(); ++n) {
    const auto left = static_cast<std::int64_t>(gosa.size() - n - 1);
    const Box points = piece.local(grown(target, left, inside(its.global)));
    gosa[n] += its.fma
                   ? loop(points, PlainSweep<true>{piece.grid, counted, arrays, step, now, next})
                   : loop(points, PlainSweep<false>{piece.grid, counted, arrays, step, now, next});
    std::swap(now, next);
  }
  return now;
}

/// Calls body(i, j, k) for a point of a box by its number there, k fastest.
template <class Body>
struct AtNumber {
  Box box;
  Body body;
  KOKKOS_FUNCTION void operator()(std::int64_t n, double& sum) const {
    const std::int64_t nk = box.hi[2] - box.lo[2], nj = box.hi[1] - box.lo[1], row = n / nk;
    sum += body(box.lo[0] + row / nj, box.lo[1] + row % nj, box.lo[2] + n - row * nk);
  }
};

/// Compares p of a rank with p of all points, which is made in pieces.
template <class Exec>
struct Pieces {
  const Exec& exec;
  const Subdomain& subdomain;
  const Dependence& its;
  const float* p;
  double bytes;              ///< that a piece may take
  std::vector<double> gosa;  ///< of each sweep

  /// @param target points in global indices
  void compare(const Box& target) {
    const Piece piece(depended_on(its, target, gosa.size()), row_pitch);
    const double wanted = arrays_of_piece * sizeof(float) * piece.grid.elements_wanted();
    if (wanted <= bytes) return compare(target, piece);
    const int d = target.hi[0] - target.lo[0] >= target.hi[1] - target.lo[1] ? 0 : 1;
    const std::int64_t middle = (target.lo[d] + target.hi[d]) / 2;
    if (middle == target.lo[d])
      throw Failure(ExitCode::Verification,
                    fmt::format("verification failed: the check of {} sweeps needs {:.1f} GB of "
                                "memory beside the run's, there are {:.1f}: fewer sweeps a pass "
                                "need less",
                                gosa.size(), wanted * 1e-9, bytes * 1e-9));
    Box low = target, high = target;
    low.hi[d] = high.lo[d] = middle;
    compare(low);
    compare(high);
  }

private:
  void compare(const Box& target, const Piece& piece) {
    const auto loop = [this]<class Body>(const Box& box, const Body& body) {
      double sum = 0;
      using Range = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>;
      Kokkos::parallel_reduce("himeno: check of all points", Range(exec, 0, box.points()),
                              AtNumber<Body>{box, body}, sum);
      return sum;
    };
    const std::size_t step = piece.grid.elements();
    const Buffer memory(scratch_space(executor_of<Exec>), arrays_of_piece * step * sizeof(float),
                        "verification");
    auto* const arrays = static_cast<float*>(memory.data());
    const float* const evaluated = evaluate_piece(loop, its, piece, target, arrays, gosa);
    Box local = target;
    for (std::size_t d = 0; d < 3; ++d)
      local.lo[d] -= subdomain.origin[d], local.hi[d] -= subdomain.origin[d];
    const Box here = piece.local(target);
    if (hash(exec, subdomain.grid, local, p) == hash(exec, piece.grid, here, evaluated)) return;
    // The first arrays, of coefficients, are not needed any more.
    pack(exec, subdomain.grid, local, p, arrays);
    pack(exec, piece.grid, here, evaluated, arrays + step);
    const Grid packed = Piece(target, [](std::int64_t k) { return k; }).grid;
    const std::int64_t wrong =
        first_difference(exec, packed, packed.all(), arrays, arrays + step).value_or(0);
    float got = 0, want = 0;
    copy(&got, arrays + wrong, sizeof got);
    copy(&want, arrays + step + wrong, sizeof want);
    throw Failure(ExitCode::Verification,
                  fmt::format("verification failed: {} is {:.9g} after {} sweeps of random values, "
                              "evaluated by another kernel {:.9g}",
                              point_text(subdomain, local, wrong), got, gosa.size(), want));
  }
};

}  // namespace

std::vector<float> evaluate(const Dependence& its, const Box& target, int sweeps) {
  const auto loop = [](const Box& box, const auto& body) {
    double sum = 0;
    for (std::int64_t i = box.lo[0]; i < box.hi[0]; ++i)
      for (std::int64_t j = box.lo[1]; j < box.hi[1]; ++j)
#pragma omp simd reduction(+ : sum)
        for (std::int64_t k = box.lo[2]; k < box.hi[2]; ++k) sum += body(i, j, k);
    return sum;
  };
  std::vector<double> gosa(static_cast<std::size_t>(sweeps));
  const Piece piece(depended_on(its, target, gosa.size()), [](std::int64_t k) { return k; });
  std::vector<float> arrays(arrays_of_piece * piece.grid.elements());
  const Block block(piece.box);
  const float* const p = evaluate_piece(loop, its, piece, target, arrays.data(), gosa);
  return Block(target).values([&](auto i, auto j, auto k) { return p[block.at(i, j, k)]; });
}

template <class Exec>
std::vector<double> compare_everywhere(const Exec& exec, const Subdomain& subdomain,
                                       const Dependence& its, int sweeps, const float* p,
                                       double bytes) {
  Pieces<Exec> pieces{exec, subdomain, its,
                      p,    bytes,     std::vector<double>(static_cast<std::size_t>(sweeps))};
  pieces.compare(subdomain.global_box(subdomain.grid.owned));
  return pieces.gosa;
}

#define MEMSTENCIL_INSTANTIATE(Exec)                                             \
  template std::vector<double> compare_everywhere(const Exec&, const Subdomain&, \
                                                  const Dependence&, int, const float*, double);
MEMSTENCIL_FOR_EXECUTION_SPACES(MEMSTENCIL_INSTANTIATE)
#undef MEMSTENCIL_INSTANTIATE

}  // namespace memstencil::himeno
