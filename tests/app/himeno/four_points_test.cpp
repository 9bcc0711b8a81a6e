// Pins why the verification has four points: each finds a fault that the others miss.
#include "app/base/ranks/collectively.hpp"
#include "app/grid/halo.hpp"
#include "app/grid/verify.hpp"
#include "app/himeno/problem.hpp"
#include "tests/app/bench/exchange_by_mpi.hpp"
#include "tests/app/himeno/himeno_plan.hpp"

#include <gtest/gtest.h>
#include <Kokkos_Core.hpp>

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <utility>

namespace memstencil::himeno {
namespace {

using Exec = Kokkos::DefaultHostExecutionSpace;
using HostSweep = jacobi::Sweep<Exec>;

/// With something done after each pass.
class FaultySweep final : public HostSweep {
public:
  using After = std::function<void(const jacobi::Pass&)>;
  FaultySweep(std::unique_ptr<HostSweep> sound, After after)
      : sound_(std::move(sound)), after_(std::move(after)) {}
  int sweeps() const override { return sound_->sweeps(); }
  std::string describe() const override { return "faulty"; }
  bool update(const Exec& queue, const jacobi::Pass& pass, int slot,
              const RanksAround<Exec>& around) override {
    const bool stored = sound_->update(queue, pass, slot, around);
    Kokkos::fence();
    after_(pass);
    return stored;
  }
  void add_up(const Exec& queue, int slots, double* out) override {
    sound_->add_up(queue, slots, out);
  }

private:
  std::unique_ptr<HostSweep> sound_;
  After after_;
};

/// What is wrong with a program. Every part is sound unless it is given.
struct Faults {
  /// After each sweep, with what it has made.
  std::function<void(const Subdomain&, const jacobi::Pass&)> kernel = [](const auto&...) {};
  /// After exchange number n of the run, with what has come.
  std::function<void(int n, std::span<const Message>)> exchange = [](const auto&...) {};
  std::function<bool(int pass, int passes)> skips_exchange = [](int, int) { return false; };
  double gosa = 1.0;  ///< factor
};

/// A program with these faults, of single sweeps.
class Program {
public:
  Program(const Options& options, const Faults& faults)
      : plan_(plan_of(options)),
        faults_(faults),
        phases_(phases_of(plan_.options)),
        arrays_(Exec(), Problem<Exec>(plan_), communicator_,
                {std::make_shared<ExchangeByMpi>([this](std::span<const Message> come) {
                   faults_.exchange(++exchanges_, come);
                 }),
                 nullptr},
                phases_),
        sweep_(jacobi::make_sweep(Exec(), plan_.subdomain.grid, {}),
               [this](const jacobi::Pass& pass) { faults_.kernel(plan_.subdomain, pass); }) {
    make_sweeps(static_cast<int>(options.iterations));
  }

  /// Those that find something.
  std::set<int> points() {
    const auto sweeps = static_cast<int>(plan_.options.iterations);
    const jacobi::Arrays& arrays = arrays_.arrays();
    std::set<int> found;
    const auto look = [&](int point, const std::function<void()>& check) {
      try {
        check();
      } catch (const Failure& failure) {
        EXPECT_EQ(failure.code(), ExitCode::Verification) << failure.what();
        found.insert(point);
      }
    };
    const GridChecks checks(arrays_);
    look(1, [&] { checks.messages(sweeps); });
    look(2, [&] {
      const double gosa = communicator_.sum(residual_) * faults_.gosa;
      verify_gosa(gosa, known_gosa(plan_.options.extents, sweeps, plan_.own.seed, false));
    });
    look(3, [&] { checks.transport(); });
    checks.loop([&] { make_sweeps(3); });
    look(4, [&] {
      collectively(communicator_,
                   [&] { checks.compare(seed_of_loop, patches(plan_.subdomain, 3), 3); });
    });
    look(2, [&] {
      make_sweeps(1);
      const Grid& grid = plan_.subdomain.grid;
      verify_gosa(communicator_.sum(residual_),
                  change(Exec(), grid, grid.owned, arrays.p_next, arrays.p, jacobi::omega),
                  communicator_);
    });
    return found;
  }

private:
  void make_sweeps(int sweeps) {
    jacobi::Arrays& arrays = arrays_.arrays();
    for (int n = 1; n <= sweeps; ++n) {
      sweep_.run(Exec(), {plan_.subdomain.grid, arrays.coefficients, arrays.p, arrays.p_next},
                 &residual_);
      if (!faults_.skips_exchange(n, sweeps)) arrays_.halo().exchange_and_wait(arrays.p_next);
      std::swap(arrays.p, arrays.p_next);
    }
  }

  Communicator communicator_;
  Plan plan_;
  Faults faults_;
  int exchanges_ = 0;
  Phases phases_;
  RankArrays<Exec, Problem<Exec>> arrays_;
  FaultySweep sweep_;
  double residual_ = 0;  ///< gosa of the last sweep
};

/// So large that the time loop is compared at some points alone, and no listed case.
Options large() {
  Options options = host_options({66, 258, 258}, 4);
  options.ranks = {Communicator().size(), 1, 1};
  return options;
}

/// Does nothing that any rank compares after three sweeps depend on these points (global indices)?
bool apart(const Subdomain& subdomain, const Box& box) {
  const int size = subdomain.ranks[0];
  for (int rank = 0; rank < size; ++rank) {
    const Subdomain its =
        subdomain_of(subdomain.global, subdomain.ranks, rank, size, subdomain.halo);
    for (const Box& patch : patches(its, 3)) {
      const Box cone = grown(its.global_box(patch), 3, whole_grid(subdomain.global));
      if (!grown(cone, 0, box).empty()) return false;
    }
  }
  return true;
}

class FourPoints : public testing::Test {
protected:
  void SetUp() override {
    if (Communicator().size() == 1) GTEST_SKIP() << "nobody to send to";
  }
};

TEST_F(FourPoints, FindNothingInASoundProgram) {
  EXPECT_EQ(Program(large(), {}).points(), std::set<int>{});
  Options listed = host_options({32, 32, 64}, 3);
  EXPECT_EQ(Program(listed, {}).points(), std::set<int>{});
}

/// A box of 10^3 points far from all that the time loop is compared at.
Box hidden_box(const Subdomain& subdomain) {
  constexpr std::int64_t side = 10;
  const Box& owned = subdomain.grid.owned;
  for (std::int64_t i = owned.lo[0]; i + side <= owned.hi[0]; ++i)
    for (std::int64_t j = owned.lo[1]; j + side <= owned.hi[1]; ++j)
      for (std::int64_t k = owned.lo[2]; k + side <= owned.hi[2]; ++k) {
        const Box box{{i, j, k}, {i + side, j + side, k + side}};
        if (apart(subdomain, {{i + subdomain.origin[0], j, k},
                              {i + subdomain.origin[0] + side, j + side, k + side}}))
          return box;
      }
  return {};
}

TEST_F(FourPoints, WhatPHasChangedByAloneFindsAKernelThatForgetsPointsInside) {
  Faults faults;
  faults.kernel = [box = std::optional<Box>()](const Subdomain& subdomain,
                                               const jacobi::Pass& pass) mutable {
    if (!box) box = hidden_box(subdomain);
    EXPECT_FALSE(box->empty());
    for (std::int64_t i = box->lo[0]; i < box->hi[0]; ++i)
      for (std::int64_t j = box->lo[1]; j < box->hi[1]; ++j) {
        const std::size_t row = pass.grid.row(i, j);
        std::copy(pass.p + row + box->lo[2], pass.p + row + box->hi[2],
                  pass.p_next + row + box->lo[2]);
      }
  };
  Options options = large();
  options.seed = 1;
  EXPECT_EQ(Program(options, faults).points(), std::set<int>{2});
}

TEST_F(FourPoints, HashesAloneFindALastMessageThatWasLost) {
  Faults faults;
  const Options options = large();
  // The first exchange of the three directions connects. Only layers of i have a message.
  const int last = 1 + static_cast<int>(options.iterations);
  faults.exchange = [=](int n, std::span<const Message> messages) {
    for (const Message& each : messages)
      if (n == last) std::fill_n(static_cast<float*>(each.receive), each.receive_bytes / 4, 0.5F);
  };
  EXPECT_EQ(Program(options, faults).points(), std::set<int>{1});
}

TEST_F(FourPoints, ThePathAloneFindsPointsThatChangePlacesAndAreEqualInTheRun) {
  const Options options = large();
  const Subdomain subdomain = plan_of(options).subdomain;
  const Grid& grid = subdomain.grid;
  // Neighbours in the planes on both sides of what divides the ranks.
  const std::int64_t above = subdomain.neighbour(0, -1) ? subdomain.origin[0] + grid.owned.lo[0]
                                                        : subdomain.origin[0] + grid.owned.hi[0];
  std::size_t place = 0;
  for (std::int64_t j = 20; j < 238 && place == 0; ++j)
    for (std::int64_t k = 20; k < 238 && place == 0; ++k)
      if (apart(subdomain, {{above - 1, j, k}, {above + 1, j + 1, k + 2}}))
        place = grid.row(0, j) + static_cast<std::size_t>(k);
  ASSERT_GT(place, 0U);
  Faults faults;
  faults.exchange = [=](int, std::span<const Message> messages) {
    auto* const layer = static_cast<float*>(messages.front().receive);
    std::swap(layer[place], layer[place + 1]);
  };
  EXPECT_EQ(Program(options, faults).points(), std::set<int>{3});
}

TEST_F(FourPoints, TheTimeLoopAloneFindsAnExchangeThatIsLeftOut) {
  Faults faults;
  faults.skips_exchange = [](int pass, int passes) { return pass == passes - 1; };
  EXPECT_EQ(Program(large(), faults).points(), std::set<int>{4});
}

TEST_F(FourPoints, GosaAloneFindsASumThatIsWrong) {
  Faults faults;
  faults.gosa = 1 + 1e-6;
  EXPECT_EQ(Program(host_options({32, 32, 64}, 3), faults).points(), std::set<int>{2});
}

}  // namespace
}  // namespace memstencil::himeno
