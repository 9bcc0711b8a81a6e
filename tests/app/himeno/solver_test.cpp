// Pins the solver by itself, on arrays of the caller: gosa of every
// sweep and p are the reference's.
#include "app/himeno/problem.hpp"

#include "tests/app/base/refusal.hpp"
#include "tests/kernels/local_problem.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace memstencil::himeno {
namespace {

using jacobi::LocalProblem;
using Exec = Kokkos::DefaultHostExecutionSpace;
using Kind = jacobi::SweepKind;

/// Of this kind, and single ones where it leaves some over.
Solver<Exec>::Kinds kinds_of(const Grid& grid, const Kind& kind) {
  return {jacobi::make_sweep(Exec(), grid, kind),
          kind.sweeps > 1 ? jacobi::make_sweep(Exec(), grid) : nullptr};
}

/// A whole grid in arrays of the caller, as the time loop begins: p stands in both.
struct Started {
  jacobi::reference::Whole whole{{19, 23, 37}, 5};
  LocalProblem<Exec> local{whole, jacobi::reference::interior_of(whole.extents), 1};
  const Grid& grid = local.grid;
  jacobi::Arrays arrays = [this] {
    local.next = jacobi::uploaded<Exec>(jacobi::downloaded(local.arrays[jacobi::P]));
    return local.pointers();
  }();
};

TEST(Solver, FindsANumberThatIsNotFiniteAtItsSweep) {
  for (const Kind& kind : {Kind{}, Kind{"temporal", 2, ""}, Kind{"temporal", 3, "strips"}}) {
    Started its;
    Solver<Exec> solver(Exec(), its.grid, kinds_of(its.grid, kind), its.arrays, 100);
    solver.run(kind.sweeps);
    its.arrays.p[its.grid.row(9, 11) + 18] = std::numeric_limits<float>::quiet_NaN();
    solver.run(90);
    const std::vector<double> gosa = solver.sums();
    const std::string line = refusal(ExitCode::Verification, [&] { verify_finite(gosa); });
    EXPECT_EQ(line.rfind(fmt::format("gosa of sweep {} is nan", kind.sweeps + 1), 0), 0U) << line;
  }
}

/// Passes of up to three single sweeps. What a pass makes stands in p_next when the next one begins
/// or none is left, as with sweeps that are streamed.
class ShorterPasses final : public jacobi::Sweep<Exec> {
public:
  explicit ShorterPasses(const Grid& grid) : single_(jacobi::make_sweep(Exec(), grid)) {}
  int sweeps() const override { return 3; }
  std::string describe() const override { return "shorter passes"; }
  int next(std::int64_t left) override {
    lengths.push_back(static_cast<int>(std::min<std::int64_t>(left, 3)));
    last_ = left <= 3;
    return lengths.back();
  }
  bool update(const Exec& queue, const jacobi::Pass& pass, int, const RanksAround<Exec>&) override {
    late_();
    std::vector<float> now(pass.p, pass.p + pass.grid.elements()), next = now;
    gosa_.resize(static_cast<std::size_t>(lengths.back()));
    for (double& each : gosa_) {
      single_->run(queue, {pass.grid, pass.coefficients, now.data(), next.data()}, &each);
      now.swap(next);
    }
    late_ = [to = pass.p_next, now] { std::copy(now.begin(), now.end(), to); };
    if (last_) std::exchange(late_, [] {})();
    return false;
  }
  void add_up(const Exec&, int, double* out) override {
    std::copy(gosa_.begin(), gosa_.end(), out);
  }

  std::vector<int> lengths;

private:
  std::unique_ptr<jacobi::Sweep<Exec>> single_;
  std::vector<double> gosa_;
  std::function<void()> late_ = [] {};
  bool last_ = false;
};

TEST(SolverOfShorterPasses, MakesWhatIsLeftInOneAndCompletesIt) {
  Started its;
  auto kind = std::make_unique<ShorterPasses>(its.grid);
  const ShorterPasses& passes = *kind;
  Solver<Exec> solver(Exec(), its.grid, {std::move(kind), nullptr}, its.arrays, 9);
  for (const int of_run : {8, 1}) {
    solver.run(of_run);
    for (int n = 0; n < of_run; ++n) {
      const double want = its.whole.sweep();
      EXPECT_NEAR(solver.sums(of_run)[static_cast<std::size_t>(n)], want, 1e-12 * want);
    }
    if (its.local.next.data() != its.arrays.p) its.local.swap();
    EXPECT_EQ(its.local.wrong(its.whole), 0U) << of_run;
  }
  EXPECT_EQ(passes.lengths, (std::vector<int>{3, 3, 2, 1}));
  EXPECT_EQ(solver.sweep_seconds().size(), 9U);
}

TEST(Gosa, IsWhatTheSweepHasChangedPBy) {
  Started its;
  Solver<Exec> solver(Exec(), its.grid, kinds_of(its.grid, {}), its.arrays, 2);
  solver.run(2);
  const double gosa = solver.sums()[1], before = solver.sums()[0];
  const auto changed = [&](const Box& box) {
    return change(Exec(), its.grid, box, its.arrays.p_next, its.arrays.p, jacobi::omega);
  };
  const auto line = [](double sum, const Change& own) {
    return refusal(ExitCode::Verification, [&] { verify_gosa(sum, own, Communicator()); });
  };
  const Change all = changed(its.grid.owned);
  EXPECT_NEAR(all.squares, gosa, 1e-5 * gosa);
  EXPECT_NO_THROW(verify_gosa(gosa, all, Communicator()));
  // Half of what the roundings may make passes, twice of it does not.
  const double norm = std::sqrt(all.squares), allowed = std::sqrt(all.rounding) + 1e-6 * norm;
  for (const double sign : {1., -1.}) {
    const auto off = [&](double times) { return std::pow(norm + sign * times * allowed, 2); };
    EXPECT_NO_THROW(verify_gosa(off(0.5), all, Communicator()));
    EXPECT_NE(line(off(2), all), "");
  }
  for (const double none : {std::numeric_limits<double>::quiet_NaN(), 1e300 * 1e300}) {
    EXPECT_NE(line(gosa, {none, all.rounding}), "");
    EXPECT_NE(line(none, all), "");
  }
  EXPECT_NE(line(before, all), "") << "that of another sweep";
  Box less = its.grid.owned;
  ++less.lo[1];
  EXPECT_NE(line(gosa, changed(less)), "") << "a plane is missing";
  const Box& owned = its.grid.owned;
  for (const auto& [i, j, k] : {std::array{owned.lo[0], owned.lo[1], owned.lo[2]},
                                {std::int64_t{9}, std::int64_t{11}, std::int64_t{18}},
                                {owned.hi[0] - 1, owned.hi[1] - 1, owned.hi[2] - 1}}) {
    float& point = its.arrays.p[its.grid.row(i, j) + static_cast<std::size_t>(k)];
    const float sound = std::exchange(point, std::numeric_limits<float>::quiet_NaN());
    EXPECT_NE(line(gosa, changed(owned)), "") << i;
    point = sound;
  }
}

}  // namespace
}  // namespace memstencil::himeno
