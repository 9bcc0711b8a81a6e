// The original program's arithmetic as a naive triple loop over arrays filled by docs/design.md's
// formulas: shares nothing with the code under test but the names of the arrays. And coefficients
// in either layout; the packing is written a second time.
#pragma once

#include "kernels/jacobi/arrays.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace memstencil::jacobi::reference {

using Extents = std::array<std::int64_t, 3>;
using Seed = std::optional<std::uint64_t>;

inline std::uint64_t splitmix64(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15;
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9;
  x = (x ^ x >> 27) * 0x94D049BB133111EB;
  return x ^ x >> 31;
}

inline float standard(ArrayId id, const Extents& e, std::int64_t i) {
  constexpr float fixed[array_count] = {1, 1, 1, static_cast<float>(1.0 / 6.0), 0, 0, 0, 1, 1, 1,
                                        0, 0, 1};
  return id == P ? static_cast<float>(i * i) / static_cast<float>((e[0] - 1) * (e[0] - 1))
                 : fixed[id];
}

/// What an array has at a point of the whole grid; a seed means --coefficients random:SEED.
inline float initial(ArrayId id, const Extents& e, const Seed& seed, std::int64_t i, std::int64_t j,
                     std::int64_t k) {
  if (!seed) return standard(id, e, i);
  const auto n = static_cast<std::uint64_t>((i * e[1] + j) * e[2] + k);
  const std::uint64_t h =
      splitmix64(*seed ^ (static_cast<std::uint64_t>(id) * 0x9E3779B97F4A7C15) ^ n);
  const float u = static_cast<float>(static_cast<double>(h >> 40) / 16777216.0);
  if (id == BND) return u < 0.02F ? 0.0F : 1.0F;
  return standard(id, e, i) + 0.01F * (u - 0.5F);
}

inline bool contains(const Box& box, std::int64_t i, std::int64_t j, std::int64_t k) {
  return i >= box.lo[0] && i < box.hi[0] && j >= box.lo[1] && j < box.hi[1] && k >= box.lo[2] &&
         k < box.hi[2];
}

inline Box interior_of(const Extents& e) { return {{1, 1, 1}, {e[0] - 1, e[1] - 1, e[2] - 1}}; }

/// a b + c: the original rounds twice, as hosts do; GPUs round once.
inline float multiply_add(float a, float b, float c, bool once) {
  return once ? std::fma(a, b, c) : a * b + c;
}

/// The original's ss at a point: p(di, dj, dk) is p at that distance, c(id)
/// a coefficient at the point.
template <class Pressure, class Coefficient>
float residual(const Pressure& p, const Coefficient& c, bool once = false) {
  float s = c(A0) * p(1, 0, 0);
  s = multiply_add(c(A1), p(0, 1, 0), s, once);
  s = multiply_add(c(A2), p(0, 0, 1), s, once);
  s = multiply_add(c(B0), p(1, 1, 0) - p(1, -1, 0) - p(-1, 1, 0) + p(-1, -1, 0), s, once);
  s = multiply_add(c(B1), p(0, 1, 1) - p(0, -1, 1) - p(0, 1, -1) + p(0, -1, -1), s, once);
  s = multiply_add(c(B2), p(1, 0, 1) - p(-1, 0, 1) - p(1, 0, -1) + p(-1, 0, -1), s, once);
  s = multiply_add(c(C0), p(-1, 0, 0), s, once);
  s = multiply_add(c(C1), p(0, -1, 0), s, once);
  s = multiply_add(c(C2), p(0, 0, -1), s, once) + c(WRK1);
  return multiply_add(s, c(A3), -p(0, 0, 0), once) * c(BND);
}

/// The whole grid, without padding.
struct Whole {
  Whole(const Extents& e, const Seed& seed) : extents(e), arrays(array_count) {
    for (int id = 0; id < array_count; ++id)
      for (std::int64_t i = 0; i < e[0]; ++i)
        for (std::int64_t j = 0; j < e[1]; ++j)
          for (std::int64_t k = 0; k < e[2]; ++k)
            arrays[static_cast<std::size_t>(id)].push_back(
                initial(static_cast<ArrayId>(id), e, seed, i, j, k));
  }

  std::size_t at(std::int64_t i, std::int64_t j, std::int64_t k) const {
    return static_cast<std::size_t>((i * extents[1] + j) * extents[2] + k);
  }

  /// The original's ss at a point, from the values of p in `q`.
  float residual(const std::vector<float>& q, std::int64_t i, std::int64_t j,
                 std::int64_t k) const {
    // No lambdas: nvcc and the host's compiler lay their captures out in other orders, and one
    // program of tests holds files of both.
    struct Pressure {
      const Whole& whole;
      const std::vector<float>& q;
      std::int64_t i, j, k;
      float operator()(int di, int dj, int dk) const { return q[whole.at(i + di, j + dj, k + dk)]; }
    };
    struct Coefficient {
      const Whole& whole;
      std::size_t point;
      float operator()(ArrayId id) const { return whole.arrays[id][point]; }
    };
    return reference::residual(Pressure{*this, q, i, j, k}, Coefficient{*this, at(i, j, k)},
                               rounds_once);
  }

  /// One sweep; gosa over the points of `counted`.
  double sweep(const Box& counted) {
    const std::vector<float> before = arrays[P];
    double gosa = 0.0;
    for (std::int64_t i = 1; i < extents[0] - 1; ++i)
      for (std::int64_t j = 1; j < extents[1] - 1; ++j)
        for (std::int64_t k = 1; k < extents[2] - 1; ++k) {
          const float ss = residual(before, i, j, k);
          arrays[P][at(i, j, k)] = multiply_add(0.8F, ss, before[at(i, j, k)], rounds_once);
          if (contains(counted, i, j, k)) gosa += static_cast<double>(ss * ss);
        }
    return gosa;
  }
  double sweep() { return sweep(interior_of(extents)); }

  Extents extents;
  std::vector<std::vector<float>> arrays;  ///< by ArrayId, k fastest
  bool rounds_once = false;                ///< products that are added, as on a GPU
};

}  // namespace memstencil::jacobi::reference

namespace memstencil::jacobi {

/// The coefficients of these arrays, by ArrayId, as [i][j][k/8][12][8].
inline std::vector<float> packed(const std::vector<std::vector<float>>& arrays) {
  std::vector<float> out(12 * arrays[A0].size());
  std::size_t place = 0;
  for (std::size_t id = 0; id < array_count; ++id) {
    if (id == P) continue;
    for (std::size_t n = 0; n < arrays[id].size(); ++n)
      out[n / 8 * 96 + place * 8 + n % 8] = arrays[id][n];
    ++place;
  }
  return out;
}

/// Of arrays by ArrayId.
template <class ArraysById>
Coefficients coefficients_of(const ArraysById& a) {
  Coefficients out{};
  for (std::size_t n = 0; n < coefficient_count; ++n) out.arrays[n] = a[n < P ? n : n + 1].data();
  return out;
}

}  // namespace memstencil::jacobi
