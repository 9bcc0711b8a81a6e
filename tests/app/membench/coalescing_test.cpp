// Pins how a warp's access is counted: the source's own example, every set of active lanes against
// a second way of counting, permutations, and sectors.
#include "app/membench/hierarchy/coalescing.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <random>

namespace memstencil::membench::coalescing {
namespace {

using probes::WarpAccess;

using Addresses = std::vector<std::int64_t>;

/// 16 neighbouring words from `first` on.
Addresses neighbours(std::int64_t first, int word_bytes) {
  Addresses out(16);
  for (int n = 0; n < 16; ++n) out[static_cast<std::size_t>(n)] = first + n * word_bytes;
  return out;
}

/// Without the algorithm's order of lanes: of each segment that is touched, the least aligned block
/// of 32 or more bytes that holds all that is touched of it.
std::vector<Segment> by_blocks(const Addresses& addresses, int word_bytes) {
  const std::int64_t whole = word_bytes == 1 ? 32 : word_bytes == 2 ? 64 : 128;
  std::map<std::int64_t, std::pair<std::int64_t, std::int64_t>> touched;
  for (const std::int64_t address : addresses) {
    const std::int64_t last = address + word_bytes - 1;
    const auto [at, fresh] = touched.try_emplace(address / whole, address, last);
    at->second = {std::min(at->second.first, address), std::max(at->second.second, last)};
  }
  std::vector<Segment> out;
  for (const auto& [segment, range] : touched) {
    int bytes = 32;
    while (range.first / bytes != range.second / bytes) bytes *= 2;
    out.push_back({range.first / bytes * bytes, bytes});
  }
  return out;
}

std::vector<Segment> in_order(std::vector<Segment> segments) {
  std::sort(segments.begin(), segments.end(),
            [](const Segment& a, const Segment& b) { return a.first < b.first; });
  return segments;
}

TEST(Segments, OfFigure43AreOneOf32AndOneOf64Bytes) {
  // Lane 0 at 116: lanes 0 to 2 in the first segment, the others in the second.
  EXPECT_EQ(segments_of_half_warp(neighbours(116, 4), 4),
            (std::vector<Segment>{{96, 32}, {128, 64}}));
}

TEST(Segments, OfNeighboursAreAsFewAsTheWordsFill) {
  EXPECT_EQ(segments_of_half_warp(neighbours(0, 1), 1), (std::vector<Segment>{{0, 32}}));
  EXPECT_EQ(segments_of_half_warp(neighbours(64, 2), 2), (std::vector<Segment>{{64, 32}}));
  EXPECT_EQ(segments_of_half_warp(neighbours(192, 4), 4), (std::vector<Segment>{{192, 64}}));
  EXPECT_EQ(segments_of_half_warp(neighbours(128, 8), 8), (std::vector<Segment>{{128, 128}}));
  EXPECT_EQ(segments_of_half_warp(neighbours(0, 16), 16),
            (std::vector<Segment>{{0, 128}, {128, 128}}));
}

TEST(Segments, AreCutToTheHalfThatIsTouchedAndNoFurther) {
  EXPECT_EQ(segments_of_half_warp(Addresses{4}, 4), (std::vector<Segment>{{0, 32}}));
  EXPECT_EQ(segments_of_half_warp(Addresses{28, 32}, 4), (std::vector<Segment>{{0, 64}}));
  EXPECT_EQ(segments_of_half_warp(Addresses{60, 64}, 4), (std::vector<Segment>{{0, 128}}));
  EXPECT_EQ(segments_of_half_warp(Addresses{96, 124}, 4), (std::vector<Segment>{{96, 32}}));
  // A half that does not start at its own size's multiple is none: 32 to 95 takes all 128.
  EXPECT_EQ(segments_of_half_warp(Addresses{32, 92}, 4), (std::vector<Segment>{{0, 128}}));
  EXPECT_TRUE(segments_of_half_warp({}, 4).empty());
}

TEST(Segments, OfOneWordThatAllLanesReadAreOne) {
  EXPECT_EQ(segments_of_half_warp(Addresses(16, 40), 4), (std::vector<Segment>{{32, 32}}));
}

TEST(Segments, ComeInTheOrderOfTheLanes) {
  EXPECT_EQ(segments_of_half_warp(Addresses{300, 0, 304, 4}, 4),
            (std::vector<Segment>{{288, 32}, {0, 32}}));
}

/// All 65 536 sets of active lanes, for every word, aligned and shifted.
TEST(Segments, OfEverySetOfActiveLanesAreTheLeastBlocks) {
  for (const int word : {1, 2, 4, 8, 16})
    for (const std::int64_t shift : {0, 1, 5, 13}) {
      const Addresses all = neighbours(1024 + shift * word, word);
      for (unsigned active = 0; active < 65536; ++active) {
        Addresses some;
        for (unsigned lane = 0; lane < 16; ++lane)
          if ((active >> lane & 1U) != 0) some.push_back(all[lane]);
        ASSERT_EQ(in_order(segments_of_half_warp(some, word)), by_blocks(some, word))
            << word << " " << shift << " " << active;
      }
    }
}

TEST(Segments, OfAnyAddressesAreTheLeastBlocks) {
  std::mt19937 random(11);
  for (const int word : {1, 2, 4, 8, 16})
    for (int n = 0; n < 20000; ++n) {
      Addresses some(1 + random() % 16);
      for (std::int64_t& each : some) each = static_cast<std::int64_t>(random() % 64) * word;
      ASSERT_EQ(in_order(segments_of_half_warp(some, word)), by_blocks(some, word));
    }
}

TEST(SectorsOfAWarp, AreThoseTouchedOnceEach) {
  EXPECT_EQ(sectors_of_warp(Addresses{}, 4), 0);
  EXPECT_EQ(sectors_of_warp(Addresses{0, 4, 28, 31 * 32}, 4), 2);
  EXPECT_EQ(sectors_of_warp(Addresses(32, 64), 16), 1);
}

TEST(Transactions, OfAllCasesAskForTheBytesOfTheActiveLanes) {
  for (const Case& each : all_cases()) {
    const Transactions count = transactions_of(each.access);
    EXPECT_EQ(count.asked_bytes, std::popcount(each.access.active) * each.access.word_bytes);
    EXPECT_GE(count.segment_bytes, count.asked_bytes) << each.name;
    EXPECT_GE(32 * count.sectors, count.asked_bytes) << each.name;
    // The table counts one warp: all are alike.
    for (std::int64_t warp = 0; warp < 9; ++warp) {
      const Transactions other = transactions_of(each.access, warp);
      EXPECT_EQ(other.segments, count.segments) << each.name;
      EXPECT_EQ(other.segment_bytes, count.segment_bytes) << each.name;
      EXPECT_EQ(other.sectors, count.sectors) << each.name;
    }
  }
}

TEST(Transactions, OfPermutedLanesAreMoreSegmentsButNoMoreSectors) {
  const Transactions order = transactions_of({});
  EXPECT_EQ(order.segments, 2);
  EXPECT_EQ(order.segment_bytes, 128);
  EXPECT_EQ(order.sectors, 4);
  const Transactions reversed = transactions_of({.multiplier = 31, .rotation = 31});
  EXPECT_EQ(reversed.segment_bytes, 128);
  // Words 8 to 23, and the others: both straddle the halves of the segment.
  const Transactions rotated = transactions_of({.rotation = 8});
  EXPECT_EQ(rotated.segment_bytes, 256);
  EXPECT_EQ(rotated.sectors, 4);
  EXPECT_EQ(transactions_of({.multiplier = 5}).segment_bytes, 256);
}

TEST(Transactions, OfOddMultipliersTakeEveryWordOnce) {
  for (const unsigned multiplier : {1U, 5U, 31U})
    for (const unsigned rotation : {0U, 8U, 31U}) {
      std::vector<std::int64_t> words;
      for (unsigned lane = 0; lane < 32; ++lane)
        words.push_back(
            copied_word(WarpAccess{.multiplier = multiplier, .rotation = rotation}, 3, lane));
      std::sort(words.begin(), words.end());
      std::vector<std::int64_t> all(32);
      std::iota(all.begin(), all.end(), 96);
      EXPECT_EQ(words, all);
    }
}

}  // namespace
}  // namespace memstencil::membench::coalescing
