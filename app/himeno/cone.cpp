// A few points after some sweeps, by the second expression of the update on the host.
#include "app/himeno/second_expression.hpp"
#include "app/himeno/verify.hpp"

#include <array>
#include <cstddef>
#include <utility>

namespace memstencil::himeno {

namespace {

using second::Id;

std::vector<float> values(Id id, const std::optional<std::uint64_t>& seed, const Triple& global,
                          const Block& block) {
  return block.values([&](std::int64_t i, std::int64_t j, std::int64_t k) {
    const float around = second::standard(id, i, global[0]);
    const auto point = static_cast<std::uint64_t>((i * global[1] + j) * global[2] + k);
    return seed ? second::random(id, *seed, point, around) : around;
  });
}

using Coefficients = std::array<std::vector<float>, second::ids>;

/// One sweep over the `count` points from float n of the block on: from p into q.
/// noinline: inlined, g++ 16.2 -O3 takes null for the rows of the vectors, and the loop crashes.
/// Look again with g++ 16.3 (findings/gcc16-rows-are-null.sh; g++ 14, 15 and clang 23 are right).
template <bool fma>
[[gnu::noinline]] void update_row(const Coefficients& c, const Block& block, std::ptrdiff_t n,
                                  std::ptrdiff_t count, const float* p, float* q) {
  std::array<const float*, second::ids> rows{};
  for (std::size_t id = 0; id < rows.size(); ++id)
    if (id != second::pressure) rows[id] = c[id].data() + n;
  p += n, q += n;
#pragma omp simd
  for (std::ptrdiff_t x = 0; x < count; ++x) {
    const auto of_point = [&](Id id) { return rows[id][x]; };
    const float residual =
        second::residual<fma>(p + x, of_point, block.step_i(), block.step_j(), 1);
    q[x] = second::updated<fma>(p[x], residual);
  }
}

template <bool fma>
std::vector<float> evaluated(const Dependence& its, const Box& target, int sweeps) {
  const auto start = [&](const Block& block) {
    return values(second::pressure, its.seed_of_p, its.global, block);
  };
  const auto rows = [&](const Block& block) {
    Coefficients coefficients;
    for (int id = 0; id < second::ids; ++id)
      if (id != second::pressure)
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
