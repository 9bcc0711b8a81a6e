// Pins on hosts and on GPUs, which ranks may share: ranks of any decomposition, extents, kind of
// sweep and transport have one rank's p to the bit, and its gosa. 300 cases where each of four
// ranks has a GPU.
#include "app/base/runtime/execution.hpp"
#include "app/heat/problem.hpp"
#include "app/himeno/problem.hpp"
#include "tests/app/grid/owned_points.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <map>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace memstencil {
namespace {

using Exchanges = std::map<Transport, GpuPaths>;

/// The same on every rank, in every run.
class Choice {
public:
  explicit Choice(std::uint32_t seed) : any_(seed) {}
  std::int64_t between(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(any_() % static_cast<std::uint64_t>(high - low + 1));
  }
  template <class List>
  const auto& of(const List& list) {
    return *std::next(list.begin(), between(0, static_cast<std::int64_t>(list.size()) - 1));
  }

private:
  std::mt19937 any_;
};

/// Grids on both sides of the size from which on single sweeps make edges first.
Triple any_extents(Choice& any, int ranks, bool large) {
  if (!large) return {any.between(34, 66), any.between(34, 66), any.between(34, 100)};
  Triple out{any.between(40, 400), any.between(300, 500), 0};
  out[2] = 4'200'000 * ranks / ((out[0] - 2) * (out[1] - 2)) + any.between(2, 34);
  if (any.between(0, 1) == 1) std::swap(out[0], out[1]);
  return out;
}

template <class Value>
struct Outcome {
  std::vector<Value> p;      // of this rank
  std::vector<double> gosa;  // of all ranks
  bool early;                // do messages leave while fused sweeps are made?
};

/// After sweeps from random values, with waits on each rank that the others do not know.
template <class Problem, class Exec, class Plan>
auto outcome(const Exec& exec, const Plan& plan, const Communicator& ranks, const GpuPaths& gpu) {
  using Value = typename Problem::Arrays::Value;
  constexpr std::uint64_t seed = 7;
  const std::int64_t sweeps = plan.options.iterations;
  Phases phases = phases_of(plan.options);
  RankArrays<Exec, Problem> arrays(exec, Problem(plan), ranks, gpu, phases);
  for (Value* const p : std::array<Value*, 2>{arrays.arrays().p, arrays.arrays().p_next})
    arrays.problem().fill_p(exec, seed, p);
  exec.fence("test");
  const auto solver = arrays.solver(sweeps);
  Choice wait(static_cast<std::uint32_t>(ranks.rank()));
  const std::int64_t together = 5 * std::int64_t{arrays.problem().sweeps_of_pass()};
  for (std::int64_t done = 0; done < sweeps; done += together) {
    if (!plan.subdomain.alone())
      std::this_thread::sleep_for(std::chrono::microseconds(wait.between(0, 500)));
    solver->run(std::min(together, sweeps - done));
  }
  std::vector<double> gosa = solver->sums();
  if (!plan.subdomain.alone()) ranks.sum(gosa);
  const Value* const p = arrays.fields().download(arrays.arrays().p, phases);
  return Outcome<Value>{{p, p + plan.subdomain.grid.elements()},
                        gosa,
                        arrays.problem().sweeps_of_pass() > 1 && solver->edges_first()};
}

/// Do messages leave early?
template <template <class> class Problem, class Plan>
bool expect_p_of_one_rank(const Plan& plan, const Plan& of_one, const Communicator& ranks,
                          const GpuPaths& gpu, const std::string& text) {
  return with_execution_space(plan.executor(), [&]<class Exec>(const Exec& exec) {
    const auto got = outcome<Problem<Exec>>(exec, plan, ranks, gpu);
    const auto want = outcome<Problem<Exec>>(exec, of_one, ranks, {});
    const auto p_of_one = [&, &whole = of_one.subdomain.grid](auto i, auto j, auto k) {
      return want.p.at(whole.row(i, j) + static_cast<std::size_t>(k));
    };
    EXPECT_EQ(wrong_points(plan.subdomain, got.p.data(), p_of_one), 0U) << text;
    EXPECT_EQ(got.gosa.size(), want.gosa.size()) << text;
    for (std::size_t n = 0; n < std::min(got.gosa.size(), want.gosa.size()); ++n)
      EXPECT_NEAR(got.gosa[n], want.gosa[n], 1e-12 * want.gosa[n]) << text << ", sweep " << n + 1;
    return got.early;
  });
}

/// One rank with single sweeps, where the problem has others.
template <class Plan>
Plan plan_of_one(Plan plan) {
  plan.subdomain = subdomain_of(plan.options.extents, {1, 1, 1}, 0, 1, 1);
  return plan;
}

class AnyDecomposition : public ::testing::Test {
protected:
  /// The transports that the ranks can use here.
  AnyDecomposition() {
    const Placement placement = placement_of(PlacementOptions{}, machine_.ranks_of_gpu);
    for (const Transport each : all_transports)
      if (why_not_transport(each, placement, ranks_).empty())
        exchanges_[each] = connect("--halo", each, ranks_);
  }

  /// @return do messages leave early?
  bool check(std::uint32_t seed, bool large) {
    Choice any(seed);
    himeno::Options options;
    const bool heat = any.between(0, 4) == 0;
    options.sweep.sweeps = heat ? 1 : static_cast<int>(any.between(1, 4));
    if (options.sweep.sweeps > 1) options.sweep.name = "temporal";
    options.extents = any_extents(any, ranks_.size(), large);
    options.ranks =
        any.of(decompositions(options.extents, ranks_.size(), {options.sweep.sweeps, 1, false}))
            .ranks;
    options.halo = any.of(exchanges_).first;
    if (large && exchanges_.count(Transport::Peer) != 0) options.halo = Transport::Peer;
    options.iterations = options.sweep.sweeps * any.between(3, 12) + any.between(0, 2);
    options.seed = seed;
    const auto& gpu = exchanges_.at(*options.halo);
    const std::string text = "seed " + std::to_string(seed) + ": " + size_name(options.extents) +
                             " by " + ranks_text(*options.ranks) + ", " +
                             std::string(name(*options.halo)) + ", ";
    if (heat) {
      const heat::Plan plan = heat::make_plan(options, machine_, ranks_);
      return expect_p_of_one_rank<heat::Problem>(plan, plan_of_one(plan), ranks_, gpu,
                                                 text + "heat");
    }
    using Layouts = std::array<jacobi::Layout, 2>;
    options.layout = any.of(Layouts{jacobi::Layout::Arrays, jacobi::Layout::Packed});
    if (options.sweep.sweeps == 1 || machine_.gpu < 0) options.layout = jacobi::Layout::Arrays;
    himeno::Plan plan = himeno::make_plan(options, machine_, ranks_);
    std::vector<jacobi::SweepOffer> offers;
    for (const jacobi::SweepOffer& each : himeno::sweep_offers(plan, machine_, ranks_))
      if (each.why_not.empty() && each.kind.sweeps == options.sweep.sweeps) offers.push_back(each);
    plan.sweep = any.of(offers);
    himeno::Plan of_one = plan_of_one(plan);
    of_one.sweep = himeno::sweep_offers(of_one, machine_, ranks_).front();
    return expect_p_of_one_rank<himeno::Problem>(
        plan, of_one, ranks_, gpu,
        text + std::string(name(options.layout)) + ", " + full_name(plan.sweep.kind));
  }

  const Communicator ranks_;
  const Machine machine_ = this_machine({}, ranks_);
  Exchanges exchanges_;
};

TEST_F(AnyDecomposition, HasThePOfOneRank) {
  const bool stores = ranks_.size() > 1 && exchanges_.count(Transport::Peer) != 0;
  const std::uint32_t of_transports = exchanges_.size() > 1 ? 40 : 16;
  const std::uint32_t cases = stores && ranks_.size() > 3 ? 300 : of_transports;
  int early = 0;
  for (std::uint32_t seed = 1; seed <= cases; ++seed)
    early += check(seed, stores && seed % 2 == 0) ? 1 : 0;
  if (ranks_.rank() == 0)
    std::printf("seeds 1 to %u, messages of fused sweeps leave early in %d of them\n", cases,
                early);
  if (cases == 300) {
    EXPECT_GT(early, 0);
  }
}

}  // namespace
}  // namespace memstencil
