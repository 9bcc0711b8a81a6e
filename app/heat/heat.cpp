// heat from its plan to its result: 7-point diffusion in double.
#include "app/heat/problem.hpp"

#include "app/grid/cone.hpp"
#include "kernels/random.hpp"

#include <cmath>
#include <numbers>

namespace memstencil::heat {

Plan make_plan(const GridOptions& options, const Machine& machine,
               const Communicator& communicator) {
  return {make_grid_plan(options, 1, machine, communicator)};
}

ProblemMemory Plan::memory() const {
  const double bytes = subdomain.grid.elements_wanted() * sizeof(double);
  return {
      .arrays = 2 * bytes, .staged = bytes, .value = sizeof(double), .checked = 4 * sizeof(double)};
}

double decay(const Triple& global, std::int64_t sweeps) {
  long double rate = 0;
  for (const std::int64_t extent : global) {
    const long double half = std::numbers::pi_v<long double> / (2 * (extent - 1));
    rate += 4 * std::sin(half) * std::sin(half);
  }
  const auto each = 1 - static_cast<long double>(diffusion) * rate;
  return static_cast<double>(std::pow(each, static_cast<long double>(sweeps)));
}

std::vector<double> evaluate(const Triple& global, std::uint64_t seed, const Box& target,
                             int sweeps, bool fma) {
  const Block block(grown(target, sweeps, whole_grid(global)));
  const std::ptrdiff_t di = block.step_i(), dj = block.step_j();
  std::vector<double> p = block.values([&](std::int64_t i, std::int64_t j, std::int64_t k) {
    const auto n = static_cast<std::uint64_t>((i * global[1] + j) * global[2] + k);
    const Box point{{i, j, k}, {i + 1, j + 1, k + 1}};
    return grown(point, 0, inside(global)).empty()
               ? 0.0
               : std::ldexp(static_cast<double>(element_hash(seed, 0, n) >> 11U), -53);
  });
  std::vector<double> next = p;
  const auto update = [&, fma](const double* at, double& to) {
    double sum = at[-di] + at[di];
    sum += at[-dj] + at[dj];
    sum += at[-1] + at[1];
    const double off = fma ? std::fma(*at, -6.0, sum) : sum - 6.0 * *at;
    to = fma ? std::fma(off, 0.125, *at) : *at + off / 8.0;
  };
  for (int left = sweeps - 1; left >= 0; --left, p.swap(next)) {
    const Box part = grown(target, left, inside(global));
    for (std::int64_t i = part.lo[0]; i < part.hi[0]; ++i)
      for (std::int64_t j = part.lo[1]; j < part.hi[1]; ++j)
        for (std::int64_t k = part.lo[2]; k < part.hi[2]; ++k)
          update(p.data() + block.at(i, j, k), next[static_cast<std::size_t>(block.at(i, j, k))]);
  }
  return Block(target).values(
      [&](auto i, auto j, auto k) { return p[static_cast<std::size_t>(block.at(i, j, k))]; });
}

std::vector<GridRun> run_repeats(const Plan& plan, const Communicator& communicator,
                                 const GpuPaths& gpu) {
  return memstencil::run_repeats<Problem>(plan, communicator, gpu);
}

std::string text_report(const Result& r, bool verbose) {
  Lines lines = case_lines("heat", r);
  append(lines, rate_lines(r, bytes_per_point));
  return answer_text("heat", r) + blocks_of(lines, verbose);
}

}  // namespace memstencil::heat
