// Pins what probe l2 works out on the host: halves and their blocks, equal shares, and what follows
// from the samples of all experiments.
#include "app/membench/hierarchy/l2_data.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace memstencil::membench {
namespace {

using namespace l2_probe;

/// Identifiers 0 to 5 without 2: three in half 0, two in half 1.
L2Halves five_multiprocessors() { return {.clear = true, .half_of = {0, 1, -1, 0, 1, 0}}; }

TEST(L2Data, GiveEachMultiprocessorARankOfItsOwn) {
  const DataChoice all = all_data(five_multiprocessors(), 16);
  EXPECT_EQ(all.members[0], 5U);
  EXPECT_EQ(all.members[1], 0U);
  EXPECT_EQ(all.places[2].group, -1);
  EXPECT_EQ(all.places[5].rank, 4U);
  EXPECT_EQ(all.blocks[0].size(), 16U);
  const DataChoice near = data_by_half(five_multiprocessors(), {0, 1, -1, 0}, false);
  EXPECT_EQ(near.members[0], 3U);
  EXPECT_EQ(near.members[1], 2U);
  EXPECT_EQ(near.places[4].group, 1);
  EXPECT_EQ(near.places[4].rank, 1U);
  EXPECT_EQ(near.places[4].members, 2U);
}

TEST(L2Data, OfTheFarHalfAreTheBlocksOfTheOther) {
  const std::vector<int> half_of_block{0, 1, -1, 0, 1};
  const auto near = data_by_half(five_multiprocessors(), half_of_block, false);
  const auto far = data_by_half(five_multiprocessors(), half_of_block, true);
  EXPECT_EQ(near.blocks[0], (std::vector<std::uint32_t>{0, 3}));
  EXPECT_EQ(near.blocks[1], (std::vector<std::uint32_t>{1, 4}));
  EXPECT_EQ(far.blocks[0], near.blocks[1]);
  EXPECT_EQ(far.blocks[1], near.blocks[0]);
}

TEST(L2Data, AreDealtOutInEqualSharesThatFitTheFootprint) {
  const DataChoice data = all_data(five_multiprocessors(), 16);
  const Shares dealt = shares(data, 3, 40000);
  EXPECT_EQ(dealt.share, 5U);  // 40000 / (5 * 3 * 512) = 5.2
  EXPECT_EQ(dealt.footprint_bytes, 5U * 5 * 3 * 512);
  EXPECT_EQ(dealt.blocks_an_array[0], 4U);  // 25 units, 8 in a block
  EXPECT_TRUE(dealt.fits);
  EXPECT_FALSE(shares(data, 3, 80000).fits);  // 7 blocks an array, and 16 there are
}

TEST(L2Data, SumOfAPassIsThatOfEveryWordOnce) {
  const DataChoice data = data_by_half(five_multiprocessors(), {1, 0, 0, 1, 1, 0}, false);
  const Shares dealt = shares(data, 1, 5 * 3 * 512);
  std::uint32_t sum = 0;
  for (const int group : {0, 1})
    for (std::uint32_t unit = 0; unit < data.members[group] * 3; ++unit)
      for (std::uint32_t word = 0; word < 128; ++word)
        sum += probes::stream_word(data.blocks[group][unit / 8] * 1024 + unit % 8 * 128 + word);
  EXPECT_EQ(sum_of_pass(data, dealt), sum);
}

/// Two experiments, of a sample each.
void add_both(ProbeResult& result, const std::string& name, const Record& parameters,
              const std::string& unit, double first, double second) {
  for (const double value : {first, second})
    result.add(name, parameters, unit, {{}, {value}, "limit of 1 reached"});
}

TEST(L2Derived, IsOfTheMediansOverAllExperimentsWithARowAFootprint) {
  constexpr std::size_t l2 = std::size_t{16} << 20;
  ProbeResult result;
  add_both(result, "load again, near", {{"access", "load again"}, {"data", "near"}}, "cycles", 280,
           300);
  Footprints measured;
  const auto add = [&](std::size_t asked, std::size_t moved, double first, double second) {
    const std::string name = "read, near, " + std::to_string(asked);
    add_both(result, name, {{"operation", "read"}, {"data", "near"}, {"footprint_bytes", asked}},
             "GB/s", first, second);
    measured[name] = moved;
  };
  add(std::size_t{2} << 20, 2'000'000, 6000, 8000);
  add(std::size_t{64} << 20, 67'000'000, 4000, 4400);
  derive(measured, l2, result);
  EXPECT_EQ(result.derived["cycles"]["load again"]["near"], 290.0);
  EXPECT_EQ(result.derived["l2_bytes"], l2);
  EXPECT_EQ(result.tables["read, near"]["footprint_bytes"], (Record{2'000'000, 67'000'000}));
  EXPECT_EQ(result.tables["read, near"]["gbs"], (Record{7000.0, 4200.0}));
  EXPECT_EQ(result.derived["gbs"]["read, near"], (Record{{"L2", 7000.0}, {"memory", 4200.0}}));
}

}  // namespace
}  // namespace memstencil::membench
