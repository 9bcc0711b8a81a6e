// Pins on hosts and on GPUs, which ranks may share: staged ranks of any extents have one rank's p.
#include "app/base/runtime/execution.hpp"
#include "app/himeno/code.hpp"
#include "app/himeno/result.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <map>
#include <random>
#include <type_traits>
#include <vector>

namespace memstencil::himeno {
namespace {

constexpr std::int64_t seven_sweeps = 7;  // that neither 2 nor 3 divides

const std::map<int, std::vector<std::array<int, 3>>> divisions_of{
    {1, {{1, 1, 1}}},
    {2, {{2, 1, 1}, {1, 2, 1}, {1, 1, 2}}},
    {3, {{3, 1, 1}, {1, 3, 1}, {1, 1, 3}}},
    {4, {{2, 2, 1}, {1, 2, 2}, {4, 1, 1}, {2, 1, 2}}}};

/// p of the whole grid after single sweeps by one rank: a GPU rounds otherwise than the reference,
/// which is a host's.
std::vector<float> p_of_one_rank(const Plan& plan, const Grid& whole) {
  const Triple& all = plan.options.extents;
  Plan of_one = plan;
  of_one.part = subdomain(all, {1, 1, 1}, 0, 1, 1);
  of_one.sweep = {};
  Phases phases = phases_of(plan.options);
  return with_execution_space(plan.executor(), [&]<class Exec>(const Exec& exec) {
    Fields<float> fields(whole, plan.placement, plan.widths());
    const Code<Exec> code(of_one);
    fields.initialise([&](const auto&... slab) { code.fill(slab...); }, phases);
    jacobi::Arrays arrays = code.arrays(fields);
    Solver<Exec>(exec, whole, kinds_of(exec, whole, {}), arrays, seven_sweeps)
        .run(seven_sweeps, phases);
    const float* const p = fields.download(arrays.p, phases);
    return std::vector<float>(p, p + whole.elements());
  });
}

/// This rank's owned points that are not those of one rank alone.
std::size_t points_unlike(const Subdomain& part, const std::vector<float>& p, const Grid& whole,
                          const std::vector<float>& want) {
  const Box& owned = part.grid.owned;
  const auto points = static_cast<std::size_t>(owned.hi[2] - owned.lo[2]);
  std::size_t wrong = 0;
  for (std::int64_t i = owned.lo[0]; i < owned.hi[0]; ++i)
    for (std::int64_t j = owned.lo[1]; j < owned.hi[1]; ++j) {
      const std::size_t here = part.grid.row(i, j) + static_cast<std::size_t>(owned.lo[2]);
      const std::size_t there = whole.row(part.origin[0] + i, part.origin[1] + j) +
                                static_cast<std::size_t>(part.origin[2] + owned.lo[2]);
      for (std::size_t n = 0; n < points; ++n)
        wrong += std::memcmp(&p.at(here + n), &want.at(there + n), sizeof(float)) != 0 ? 1 : 0;
    }
  return wrong;
}

TEST(StagedRanksOfAnyExtents, HaveThePOfOneRank) {
  const Communicator communicator;
  const Machine machine = this_machine({}, communicator);
  std::mt19937 any(16);  // NOLINT: the same on every rank, in every run
  const auto between = [&any](int low, int high) {
    return low + static_cast<int>(any() % (high - low + 1));
  };
  for (int n = 0; n < 8; ++n) {
    Options options;
    options.extents = {between(34, 56), between(34, 56), between(34, 100)};
    options.iterations = seven_sweeps;
    options.seed = n;
    options.sweep.sweeps = between(1, 3);
    options.halo = MessagePath::Staged;
    const auto& possible = divisions_of.at(communicator.size());
    options.ranks = possible[any() % possible.size()];
    options.save_field = true;
    const Plan plan = make_plan(options, machine, communicator);
    const Grid whole = subdomain(options.extents, {1, 1, 1}, 0, 1, 1).grid;
    const RunResult result = run_once(plan, communicator);
    EXPECT_EQ(points_unlike(plan.part, result.p, whole, p_of_one_rank(plan, whole)), 0U)
        << size_name(options.extents) << ", " << name(plan.sweep) << ", "
        << ranks_text(plan.part.ranks);
  }
}

}  // namespace
}  // namespace memstencil::himeno
