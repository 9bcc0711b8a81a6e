// p after some sweeps over a cone of dependence, by the second expression of the update: one engine
// for the few points that a host checks and for all points, which a plain kernel checks.
#pragma once

#include "app/grid/cone.hpp"
#include "app/himeno/second_expression.hpp"
#include "app/himeno/verify.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace memstencil::himeno {

/// The coefficients and p twice.
inline constexpr int arrays_of_piece = second::ids + 1;

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
inline Box depended_on(const Dependence& its, const Box& target, std::size_t sweeps) {
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

}  // namespace memstencil::himeno
