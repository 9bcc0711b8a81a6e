// Verification of a result: sampled points of one more pass are compared with an evaluation on the
// host.
#include "app/himeno/verify.hpp"

#include "app/base/runtime/execution.hpp"
#include "kernels/jacobi/arrays.hpp"
#include "memory_spaces/buffer.hpp"
#include "memory_spaces/capabilities.hpp"
#include "memory_spaces/movement.hpp"

#include <algorithm>
#include <random>
#include <vector>

namespace memstencil::himeno {

namespace {

constexpr int most_samples = 4096;
/// The cubes of all samples together hold no more than this.
constexpr std::size_t most_floats = std::size_t{16} << 20;

std::vector<std::int64_t> sampled_points(const Box& box, std::size_t count) {
  std::mt19937_64 random(20241);
  std::vector<std::int64_t> points;
  if (box.points() == static_cast<std::int64_t>(count)) {
    // All of them: drawn at random, a third of a small box would be missed.
    for (std::int64_t i = box.lo[0]; i < box.hi[0]; ++i)
      for (std::int64_t j = box.lo[1]; j < box.hi[1]; ++j)
        for (std::int64_t k = box.lo[2]; k < box.hi[2]; ++k) points.insert(points.end(), {i, j, k});
    return points;
  }
  for (std::size_t n = 0; n < count; ++n)
    for (int d = 0; d < 3; ++d)
      points.push_back(
          std::uniform_int_distribution<std::int64_t>(box.lo[d], box.hi[d] - 1)(random));
  return points;
}

std::size_t cube_floats_of(int sweeps) {
  return jacobi::array_count * Cube{.radius = sweeps, .values = nullptr}.size();
}

/// How many points are sampled.
std::int64_t samples_of(const Grid& grid, int sweeps) {
  constexpr double many = 0x1p40;  // before the check of memory 64 bits may not count the points
  const std::int64_t points = grid.elements_wanted() > many ? most_samples : grid.owned.points();
  return std::min({std::int64_t{most_samples}, points,
                   static_cast<std::int64_t>(most_floats / cube_floats_of(sweeps))});
}

/// The samples of the arrays after one more pass, on the host.
struct Samples {
  std::vector<float> cubes, results;
};

template <class Exec>
Samples sample(const Exec& exec, const Grid& grid, const jacobi::Arrays& arrays,
               const std::vector<std::int64_t>& points, const Cube& cube) {
  const int count = static_cast<int>(points.size() / 3);
  Samples samples;
  samples.results.resize(static_cast<std::size_t>(count));
  samples.cubes.resize(samples.results.size() * jacobi::array_count * cube.size());
  const MemorySpace space = scratch_space(executor_of<Exec>);
  const Buffer centres(space, points.size() * sizeof(std::int64_t), "verification");
  const Buffer cubes(space, samples.cubes.size() * sizeof(float), "verification");
  const Buffer results(space, samples.results.size() * sizeof(float), "verification");
  copy(centres.data(), points.data(), centres.bytes());
  jacobi::gather(exec, grid, arrays.coefficients, arrays.p, arrays.p_next,
                 static_cast<const std::int64_t*>(centres.data()), count, cube.radius,
                 static_cast<float*>(cubes.data()), static_cast<float*>(results.data()));
  copy(samples.cubes.data(), cubes.data(), cubes.bytes());
  copy(samples.results.data(), results.data(), results.bytes());
  return samples;
}

}  // namespace

double bytes_of_samples(const Grid& grid, int sweeps) {
  return static_cast<double>(samples_of(grid, sweeps)) *
         static_cast<double>(cube_floats_of(sweeps) * sizeof(float));
}

template <class Exec>
void verify_samples(const Exec& exec, const Subdomain& part, const jacobi::Arrays& arrays,
                    jacobi::Sweep<Exec>& sweep, double* residuals) {
  const Grid& grid = part.grid;
  exec.fence("himeno: verification");
  fill(arrays.p_next, 0xFF, grid.elements() * sizeof(float));
  sweep.run(exec, {grid, arrays.coefficients, arrays.p, arrays.p_next}, residuals);
  Cube cube{.radius = sweep.sweeps(), .values = nullptr};
  const std::size_t cube_floats = cube_floats_of(sweep.sweeps());
  const auto count = static_cast<std::size_t>(samples_of(grid, sweep.sweeps()));
  const std::vector<std::int64_t> points = sampled_points(grid.owned, count);
  const Samples samples = sample(exec, grid, arrays, points, cube);
  copy(arrays.p_next, arrays.p, grid.elements() * sizeof(float));  // the boundary again
  for (std::size_t n = 0; n < count; ++n) {
    const std::int64_t* at = &points[3 * n];
    Box interior = grid.interior;
    for (int d = 0; d < 3; ++d) interior.lo[d] -= at[d], interior.hi[d] -= at[d];
    cube.values = samples.cubes.data() + n * cube_floats;
    verify_point(expected(cube, sweep.sweeps(), interior), samples.results[n],
                 {part.origin[0] + at[0], part.origin[1] + at[1], part.origin[2] + at[2]},
                 part.rank());
  }
}

#define MEMSTENCIL_INSTANTIATE(Exec)                                                 \
  template void verify_samples(const Exec&, const Subdomain&, const jacobi::Arrays&, \
                               jacobi::Sweep<Exec>&, double*);
MEMSTENCIL_FOR_EXECUTION_SPACES(MEMSTENCIL_INSTANTIATE)
#undef MEMSTENCIL_INSTANTIATE

}  // namespace memstencil::himeno
