// The Jacobi update of one point. The expression stands here once, for
// every sweep on any processor.
#pragma once

#include "kernels/jacobi/arrays.hpp"
#include "kernels/portable.hpp"

#include <cstddef>

namespace memstencil::jacobi {

/// p at a point and its 18 face and edge neighbours. The letters are the offsets in i, j, k:
/// m = -1, o = 0, p = +1; so pom is p(i+1, j, k-1).
struct Neighbours {
  float ooo;
  float poo, opo, oop, moo, omo, oom;
  float ppo, pmo, mpo, mmo;
  float opp, omp, opm, omm;
  float pop, mop, pom, mom;
};

/// p at (i + di, j + dj, k + dk) is at(di, dj, dk).
template <class At>
MEMSTENCIL_FUNCTION Neighbours neighbours_of(const At& at) {
  return {at(0, 0, 0),   at(1, 0, 0),  at(0, 1, 0),  at(0, 0, 1),  at(-1, 0, 0),
          at(0, -1, 0),  at(0, 0, -1), at(1, 1, 0),  at(1, -1, 0), at(-1, 1, 0),
          at(-1, -1, 0), at(0, 1, 1),  at(0, -1, 1), at(0, 1, -1), at(0, -1, -1),
          at(1, 0, 1),   at(-1, 0, 1), at(1, 0, -1), at(-1, 0, -1)};
}

/// The coefficients of one point.
struct PointCoefficients {
  float a0, a1, a2, a3, b0, b1, b2, c0, c1, c2, wrk1, bnd;
};

/// Coefficient a, in the order of ArrayId, is value(a).
template <class Value>
MEMSTENCIL_FUNCTION PointCoefficients point_coefficients(const Value& value) {
  return {value(0), value(1), value(2), value(3), value(4),  value(5),
          value(6), value(7), value(8), value(9), value(10), value(11)};
}

/// The coefficients of the point that float n of an array belongs to.
template <Layout layout>
MEMSTENCIL_FUNCTION PointCoefficients coefficients_at(const Coefficients& c, std::int64_t n) {
  if constexpr (layout == Layout::Packed) {
    const float* const q = c.arrays[0] + coefficient_offset(static_cast<std::size_t>(n));
    return point_coefficients([q](int a) { return read_once(q[a * packed_points]); });
  } else {
    return point_coefficients([&](int a) { return read_once(c.arrays[a][n]); });
  }
}

/// The residual ss of the original Himeno C program (dynamic version, function jacobi), its terms
/// in the original's order. The new p is p + omega*ss: updated() below.
MEMSTENCIL_FUNCTION float residual(const Neighbours& n, const PointCoefficients& c) {
  float s0 = c.a0 * n.poo;
  s0 = multiply_add(c.a1, n.opo, s0);
  s0 = multiply_add(c.a2, n.oop, s0);
  s0 = multiply_add(c.b0, n.ppo - n.pmo - n.mpo + n.mmo, s0);
  s0 = multiply_add(c.b1, n.opp - n.omp - n.opm + n.omm, s0);
  s0 = multiply_add(c.b2, n.pop - n.mop - n.pom + n.mom, s0);
  s0 = multiply_add(c.c0, n.moo, s0);
  s0 = multiply_add(c.c1, n.omo, s0);
  s0 = multiply_add(c.c2, n.oom, s0);
  s0 = s0 + c.wrk1;
  return multiply_add(s0, c.a3, -n.ooo) * c.bnd;
}

/// p after the sweep; the original's relaxation is omega = 0.8.
MEMSTENCIL_FUNCTION float updated(float p, float relaxation, float ss) {
  return multiply_add(relaxation, ss, p);
}

/// The contribution of a point to gosa: ss*ss rounded to float, then taken as double.
MEMSTENCIL_FUNCTION double squared(float ss) { return static_cast<double>(product(ss, ss)); }

}  // namespace memstencil::jacobi
