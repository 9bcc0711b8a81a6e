// Sectors of a copy's accesses and banks of shared memory, each counted once more in another way.
#include "app/membench/hierarchy/bank_wavefronts.hpp"
#include "app/membench/hierarchy/sectors.hpp"
#include "kernels/probes/bank_conflicts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>
#include <vector>

namespace memstencil::membench {
namespace {

using probes::congested_word;
using probes::CopyPattern;

void expect_sectors(const CopyPattern& pattern, int touched, int fresh, int partial) {
  const WarpSectors s = count_sectors(pattern);
  EXPECT_EQ(s.touched, touched) << "offset " << pattern.offset << ", stride " << pattern.stride;
  EXPECT_EQ(s.fresh, fresh) << "offset " << pattern.offset << ", stride " << pattern.stride;
  EXPECT_EQ(s.partial, partial) << "offset " << pattern.offset << ", stride " << pattern.stride;
}

TEST(Sectors, OfACoalescedAccessAreTheFourAskedFor) { expect_sectors({}, sectors_asked, 4, 0); }

TEST(Sectors, OfAShiftedAccessAreTwoMoreThatTheNeighboursNeedToo) {
  for (std::int64_t offset = 1; offset <= 32; ++offset)
    expect_sectors({.offset = offset}, offset % 8 == 0 ? 4 : 6, 4, 0);
}

TEST(Sectors, GrowWithTheStrideUntilEachFloatHasItsOwn) {
  for (std::int64_t stride = 2; stride <= 32; ++stride) {
    const int sectors = static_cast<int>(std::min<std::int64_t>(4 * stride, 32));
    expect_sectors({.stride = stride}, sectors, sectors, sectors);
  }
}

TEST(CopiedElements, AreAllElementsOfTheMatrixOnce) {
  constexpr probes::MatrixExtents matrix{3, 48};
  for (const CopyPattern& pattern : {CopyPattern{}, CopyPattern{.offset = 5}, CopyPattern{.stride = 7}}) {
    std::multiset<std::int64_t> copied;
    for (std::int64_t pass = 0; pass < pattern.stride; ++pass)
      for (std::int64_t y = 0; y < matrix.rows; ++y)
        for (std::int64_t x = 0; x * pattern.stride + pass < matrix.columns; ++x)
          copied.insert(probes::copied_element(matrix, pattern, x, y, pass));
    EXPECT_EQ(copied.size(), 144U);
    EXPECT_EQ(*copied.begin(), pattern.offset);
    EXPECT_EQ(*copied.rbegin(), pattern.offset + 143);
    EXPECT_EQ(std::set<std::int64_t>(copied.begin(), copied.end()).size(), 144U);
  }
}

/// Different words that each of 32 banks of `bank_words` 4-byte words is asked for by the lanes [first,
/// last).
int fullest_bank(unsigned first, unsigned last, unsigned congestion, unsigned word_bytes,
                 unsigned bank_bytes) {
  std::array<std::set<unsigned>, 32> words;
  for (unsigned lane = first; lane < last; ++lane) {
    const unsigned word = congested_word(lane, congestion);
    for (unsigned byte = word * word_bytes; byte < (word + 1) * word_bytes; byte += bank_bytes)
      words[byte / bank_bytes % 32].insert(word);
  }
  std::size_t most = 0;
  for (const auto& bank : words) most = std::max(most, bank.size());
  return static_cast<int>(most);
}

TEST(CongestedWords, LieInTheTableAndAreAllDifferent) {
  for (unsigned c = 1; c <= 32; ++c) {
    std::set<unsigned> words;
    for (unsigned lane = 0; lane < 32; ++lane) words.insert(congested_word(lane, c));
    EXPECT_EQ(words.size(), 32U);
    EXPECT_LT(*words.rbegin(), probes::bank_table_words);
  }
}

TEST(CongestedWords, MeetInBankZeroAsOftenAsTheCongestionSays) {
  for (unsigned c = 1; c <= 32; ++c) {
    std::array<unsigned, 32> lanes{};
    for (unsigned lane = 0; lane < 32; ++lane) ++lanes[congested_word(lane, c) % 32];
    EXPECT_EQ(lanes[0], c);
    EXPECT_LE(*std::max_element(lanes.begin() + 1, lanes.end()), 1U);
  }
}

TEST(BankWavefronts, AreTheCongestionForWordsAsWideAsTheBanks) {
  for (unsigned c = 1; c <= 32; ++c) {
    EXPECT_EQ(bank_wavefronts(c, 4), static_cast<int>(c));
    EXPECT_EQ(fullest_bank(0, 32, c, 8, 8), static_cast<int>(c));  // the GPU of the paper
  }
}

TEST(BankWavefronts, OfWideWordsAreThoseOfTheTwoHalvesOfTheWarp) {
  for (unsigned c = 1; c <= 32; ++c)
    EXPECT_EQ(bank_wavefronts(c, 8), fullest_bank(0, 16, c, 8, 4) + fullest_bank(16, 32, c, 8, 4));
  const std::vector<std::pair<unsigned, int>> known{{1, 2}, {2, 3}, {16, 17}, {17, 17}, {32, 32}};
  for (const auto& [congestion, passes] : known) EXPECT_EQ(bank_wavefronts(congestion, 8), passes);
}

}  // namespace
}  // namespace memstencil::membench
