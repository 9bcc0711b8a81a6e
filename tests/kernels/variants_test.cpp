// Pins every kind of sweep of the host to the single one: p to the bit, gosa of each sweep.
#include "kernels/jacobi/sweep.hpp"

#include "tests/kernels/local_problem.hpp"

#include <gtest/gtest.h>

#include <set>
#include <stdexcept>

namespace memstencil::jacobi {
namespace {

using reference::Extents;
using reference::Whole;

void expect_single_sweeps(const Extents& extents, const Box& owned, const reference::Seed& seed) {
  const Whole start(extents, seed);
  const LocalProblem<HostExec> one(start, owned, 1);
  for (const SweepOffer& one_wide : sweep_offers<HostExec>(one.grid)) {
    const SweepKind& kind = one_wide.kind;
    std::vector<double> of_arrays;
    for (const Layout layout : all_layouts) {
      Whole whole = start;
      // A rank's halo has to be as wide as the pass has sweeps.
      const LocalProblem<HostExec> local(start, owned, kind.sweeps, layout);
      const auto sweep = make_sweep(HostExec(), local.grid, kind);
      SCOPED_TRACE(testing::Message()
                   << extents[0] << "x" << extents[1] << "x" << extents[2] << ", " << kind.sweeps
                   << " sweeps, " << sweep->describe() << ", " << name(layout));
      ASSERT_EQ(one_wide.why_not, "");
      ASSERT_EQ(sweep->sweeps(), kind.sweeps);
      const std::vector<double> gosa = local.run(*sweep);
      for (const double got : gosa) {
        const double expected = whole.sweep(owned);
        EXPECT_NEAR(got, expected, 1e-12 * expected);
      }
      EXPECT_EQ(local.wrong(whole), 0U);
      if (layout == Layout::Arrays) of_arrays = gosa;
      EXPECT_EQ(gosa, of_arrays) << "gosa differs from that of arrays";
    }
  }
}

TEST(HostVariants, EqualSingleSweepsToTheBitAtOddExtents) {
  for (const Extents& e : {Extents{3, 3, 3}, {5, 4, 7}, {3, 40, 5}, {17, 19, 23}, {37, 45, 83}})
    for (const reference::Seed& seed : {reference::Seed{}, reference::Seed{1}})
      expect_single_sweeps(e, reference::interior_of(e), seed);
}

TEST(HostVariants, UpdateTheOwnedPointsOfARankOnly) {
  for (const Box& owned :
       {Box{{1, 1, 1}, {10, 17, 42}}, Box{{10, 9, 21}, {20, 17, 42}}, Box{{7, 5, 11}, {12, 9, 30}}})
    expect_single_sweeps({21, 18, 43}, owned, 2);
}

TEST(HostVariants, BeginWithTheSingleSweepAndOfferFusedOnes) {
  const LocalProblem<HostExec> local(Whole({5, 4, 7}, {}), reference::interior_of({5, 4, 7}), 1);
  const std::vector<SweepOffer> all = sweep_offers<HostExec>(local.grid);
  ASSERT_GE(all.size(), 4U);
  EXPECT_EQ(all.front().kind.sweeps, 1);
  std::set<int> sweeps;
  for (const SweepOffer& offered : all) sweeps.insert(offered.kind.sweeps);
  for (const int fused : {2, 3, 4}) EXPECT_TRUE(sweeps.contains(fused)) << fused;
}

TEST(SweepKinds, AnswerAQuestionThatLeavesOpenNumberOrTile) {
  const SweepKind fused{"temporal", 3, "16x64/8"};
  for (const SweepKind& asked : {fused, SweepKind{"temporal", 3, ""}, SweepKind{"temporal", 0, ""},
                                 SweepKind{"temporal", 0, "16x64/8"}})
    EXPECT_TRUE(fused.is(asked)) << full_name(asked);
  for (const SweepKind& asked :
       {SweepKind{}, SweepKind{"single", 3, ""}, SweepKind{"temporal", 2, ""},
        SweepKind{"temporal", 3, "16x64/16"}})
    EXPECT_FALSE(fused.is(asked)) << full_name(asked);
  EXPECT_EQ(name(SweepKind{}), "single");
  EXPECT_EQ(name(fused), "temporal:3");
  EXPECT_EQ(full_name(fused), "temporal:3:16x64/8");
}

TEST(SweepKinds, ThatAreNotOfferedAreNotMade) {
  const LocalProblem<HostExec> local(Whole({5, 4, 7}, {}), reference::interior_of({5, 4, 7}), 1);
  for (const SweepKind& kind : {SweepKind{"temporal", 2, "streamed"},
                                SweepKind{"single", 1, "128x2x8"}, SweepKind{"temporal", 99, ""}})
    EXPECT_THROW(make_sweep(HostExec(), local.grid, kind), std::invalid_argument)
        << full_name(kind);
}

TEST(SweepKinds, HaveNamesOfTheirOwn) {
  const LocalProblem<HostExec> local(Whole({5, 4, 7}, {}), reference::interior_of({5, 4, 7}), 1);
  std::set<std::string> names;
  const auto offers = sweep_offers<HostExec>(local.grid);
  for (const SweepOffer& each : offers) names.insert(full_name(each.kind));
  EXPECT_EQ(names.size(), offers.size());
}

}  // namespace
}  // namespace memstencil::jacobi
