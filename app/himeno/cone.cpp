// A second expression of Himeno's update, which shares no code with the sweeps.
#include "app/himeno/verify.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

namespace memstencil::himeno {

namespace {

/// The numbers that the random values of the arrays are told apart by.
enum Id { a0, a1, a2, a3, b0, b1, b2, c0, c1, c2, wrk1, pressure, bnd, ids };

std::uint64_t mixed(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15U;
  x = (x ^ x >> 30U) * 0xBF58476D1CE4E5B9U;
  x = (x ^ x >> 27U) * 0x94D049BB133111EBU;
  return x ^ x >> 31U;
}

float standard(Id id, std::int64_t i, const Triple& global) {
  constexpr float sixth = static_cast<float>(1.0 / 6.0);
  constexpr std::array<float, ids> values{1, 1, 1, sixth, 0, 0, 0, 1, 1, 1, 0, 0, 1};
  const std::int64_t last = global[0] - 1;
  return id == pressure ? static_cast<float>(i * i) / static_cast<float>(last * last) : values[id];
}

float random(Id id, std::uint64_t seed, std::uint64_t point, float around) {
  const std::uint64_t h = mixed(seed ^ std::uint64_t{id} * 0x9E3779B97F4A7C15U ^ point);
  const float u = static_cast<float>(h >> 40U) * 0x1p-24F;
  if (id == bnd) return static_cast<double>(u) < 0.02 ? 0.0F : 1.0F;
  const float step = 0.01F * (u - 0.5F);
  return around + step;
}

std::vector<float> values(Id id, const std::optional<std::uint64_t>& seed, const Triple& global,
                          const Block& block) {
  return block.values([&](std::int64_t i, std::int64_t j, std::int64_t k) {
    const float around = standard(id, i, global);
    const auto point = static_cast<std::uint64_t>((i * global[1] + j) * global[2] + k);
    return seed ? random(id, *seed, point, around) : around;
  });
}

using Coefficients = std::array<std::vector<float>, ids>;

/// c + a*b with the executor's roundings.
template <bool fma>
float plus_product(float c, float a, float b) {
  if constexpr (fma) return std::fma(a, b, c);
  return c + a * b;
}

/// One sweep over the `count` points from float n of the block on: from p into q.
/// noinline: inlined, g++ 16.2 -O3 takes null for the rows of the vectors, and the loop crashes.
/// Look again with g++ 16.3 (g++ 14, 15, clang 23, and 16.2 at -O2 are right).
template <bool fma>
__attribute__((noinline)) void update_row(const Coefficients& c, const Block& block,
                                          std::ptrdiff_t n, std::ptrdiff_t count, const float* p,
                                          float* q) {
  const std::ptrdiff_t i = block.step_i(), j = block.step_j(), k = 1;
  const auto from = [&](Id id) { return c[id].data() + n; };
  const float *A0 = from(a0), *A1 = from(a1), *A2 = from(a2), *A3 = from(a3), *B0 = from(b0),
              *B1 = from(b1), *B2 = from(b2), *C0 = from(c0), *C1 = from(c1), *C2 = from(c2),
              *W = from(wrk1), *B = from(bnd);
  p += n, q += n;
#pragma omp simd
  for (std::ptrdiff_t x = 0; x < count; ++x) {
    const float* const at = p + x;
    float sum = A0[x] * at[i];
    sum = plus_product<fma>(sum, A1[x], at[j]);
    sum = plus_product<fma>(sum, A2[x], at[k]);
    sum = plus_product<fma>(sum, B0[x], at[i + j] - at[i - j] - at[-i + j] + at[-i - j]);
    sum = plus_product<fma>(sum, B1[x], at[j + k] - at[-j + k] - at[j - k] + at[-j - k]);
    sum = plus_product<fma>(sum, B2[x], at[i + k] - at[-i + k] - at[i - k] + at[-i - k]);
    sum = plus_product<fma>(sum, C0[x], at[-i]);
    sum = plus_product<fma>(sum, C1[x], at[-j]);
    sum = plus_product<fma>(sum, C2[x], at[-k]);
    sum += W[x];
    const float residual = plus_product<fma>(-at[0], sum, A3[x]) * B[x];
    q[x] = plus_product<fma>(at[0], 0.8F, residual);
  }
}

template <bool fma>
std::vector<float> evaluated(const Dependence& its, const Box& target, int sweeps) {
  const auto start = [&](const Block& block) {
    return values(pressure, its.seed_of_p, its.global, block);
  };
  const auto rows = [&](const Block& block) {
    Coefficients coefficients;
    for (int id = 0; id < ids; ++id)
      if (id != pressure)
        coefficients[static_cast<std::size_t>(id)] =
            values(static_cast<Id>(id), its.seed, its.global, block);
    return [block, coefficients = std::move(coefficients)](std::ptrdiff_t n, std::ptrdiff_t count,
                                                           const float* p, float* q) {
      update_row<fma>(coefficients, block, n, count, p, q);
    };
  };
  return evaluate_cone(its.global, target, sweeps, start, rows);
}

}  // namespace

std::vector<float> evaluate(const Dependence& its, const Box& target, int sweeps) {
  return its.fma ? evaluated<true>(its, target, sweeps) : evaluated<false>(its, target, sweeps);
}

}  // namespace memstencil::himeno
