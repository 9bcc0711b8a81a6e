// Pins what probes copy, latency and shared work out on the host: sectors and
// banks, chains and levels, fits.
#include "app/membench/hierarchy/chases.hpp"
#include "app/membench/hierarchy/copy.hpp"
#include "app/membench/hierarchy/shared.hpp"
#include "kernels/probes/shared.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

namespace memstencil::membench {
namespace {

using namespace copy_probe;
using namespace latency_probe;
using namespace shared_probe;
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
  for (const CopyPattern& pattern :
       {CopyPattern{}, CopyPattern{.offset = 5}, CopyPattern{.stride = 7}}) {
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

/// Different words that each of 32 banks of `bank_words` 4-byte words is asked for
/// by the lanes [first, last).
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

TEST(RandomCycle, GoesThroughEverySlotBeforeItReturns) {
  for (const std::uint32_t slots : {1U, 2U, 3U, 64U, 10007U}) {
    const std::vector<std::uint32_t> next = random_cycle(slots, 7);
    std::vector<bool> seen(slots, false);
    std::uint32_t slot = 0;
    for (std::uint32_t n = 0; n < slots; ++n) {
      ASSERT_FALSE(seen[slot]) << "slot " << slot << " of " << slots << " comes twice";
      seen[slot] = true;
      slot = next[slot];
    }
    EXPECT_EQ(slot, 0U);
  }
}

TEST(RandomCycle, SeldomGoesToTheNeighbour) {
  const std::vector<std::uint32_t> next = random_cycle(10000, 7);
  std::uint32_t neighbours = 0;
  for (std::uint32_t s = 0; s < 10000; ++s)
    neighbours += next[s] == s + 1 || next[s] + 1 == s ? 1 : 0;
  EXPECT_LT(neighbours, 20U);  // 2 are expected
}

TEST(RandomCycle, IsAnotherForAnotherSeed) {
  EXPECT_NE(random_cycle(100, 1), random_cycle(100, 2));
}

TEST(Follow, EndsWhereSingleStepsEnd) {
  const std::vector<std::uint32_t> next = random_cycle(100, 5);
  std::uint32_t slot = 42;
  for (int n = 0; n < 777; ++n) slot = next[slot];
  EXPECT_EQ(follow(next, 42, 777), slot);
  EXPECT_EQ(follow(next, 42, 0), 42U);
}

TEST(ChasePlace, IsTheFirstLineOfASlotThatHasOne) {
  EXPECT_EQ(probes::chase_place(0, probes::chase_line), 0U);
  EXPECT_EQ(probes::chase_place(12345, probes::chase_line), 12345 * probes::chase_line);
}

TEST(ChasePlace, SpreadsTheLinksOverTheLinesOfTheirPages) {
  constexpr std::uint64_t page = std::uint64_t{2} << 20;
  std::set<std::uint64_t> lines;
  for (std::uint64_t slot = 0; slot < 512; ++slot) {
    const std::uint64_t place = probes::chase_place(slot, page);
    EXPECT_EQ(place / page, slot);
    EXPECT_EQ(place % probes::chase_line, 0U);
    lines.insert(place % page);
  }
  EXPECT_GT(lines.size(), 480U);
}

TEST(Footprints, GrowByTheStepsOfAnOctaveUpToTheLast) {
  EXPECT_EQ(footprints(1024, 8192, 1, 128), (std::vector<std::size_t>{1024, 2048, 4096, 8192}));
  EXPECT_EQ(footprints(1024, 2047, 4, 128), (std::vector<std::size_t>{1024, 1152, 1408, 1664}));
}

TEST(Footprints, AreWholeSlotsAndNeverTwiceTheSame) {
  EXPECT_EQ(footprints(128, 512, 4, 128), (std::vector<std::size_t>{128, 256, 384, 512}));
  EXPECT_TRUE(footprints(1024, 1000, 1, 128).empty());
}

TEST(PlateauOf, TakesThePointsOfItsStretchAndNoOthers) {
  const std::vector<LatencyPoint> curve{
      {1, 100, 50}, {2, 30, 15}, {4, 40, 20}, {8, 35, 18}, {16, 200, 99}};
  const Plateau p = plateau(curve, 2, 8);
  EXPECT_EQ(p.points, 3);
  EXPECT_DOUBLE_EQ(p.cycles, 35);
  EXPECT_DOUBLE_EQ(p.lowest, 30);
  EXPECT_DOUBLE_EQ(p.highest, 40);
  EXPECT_DOUBLE_EQ(p.nanoseconds, 18);
  EXPECT_EQ(plateau(curve, 5, 7).points, 0);
}

TEST(LeastSquares, FindsTheCoefficientsOfPointsWithoutNoise) {
  const std::vector<double> x{1, 2, 5, 9}, square{1, 4, 25, 81}, one(4, 1.0);
  std::vector<double> y;
  for (std::size_t n = 0; n < x.size(); ++n) y.push_back(3 * x[n] - 0.5 * square[n] + 7);
  const Fit fit = least_squares({x, square, one}, y);
  EXPECT_NEAR(fit.coefficients[0], 3, 1e-12);
  EXPECT_NEAR(fit.coefficients[1], -0.5, 1e-12);
  EXPECT_NEAR(fit.coefficients[2], 7, 1e-12);
  EXPECT_NEAR(fit.r_squared, 1, 1e-14);
  EXPECT_NEAR(fit.largest_residual, 0, 1e-11);
}

// Anscombe's quartet, first set (The American Statistician 27, 1973): a line of
// 0.5001 and 3.0001, R2 0.6665.
TEST(LeastSquares, AgreesWithAPublishedRegression) {
  const std::vector<double> x{10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5}, one(11, 1.0);
  const std::vector<double> y{8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68};
  const Fit fit = least_squares({x, one}, y);
  EXPECT_NEAR(fit.coefficients[0], 0.50009, 1e-5);
  EXPECT_NEAR(fit.coefficients[1], 3.00009, 1e-5);
  EXPECT_NEAR(fit.r_squared, 0.66654, 1e-5);
  EXPECT_NEAR(fit.rms_residual, 1.11855, 1e-5);
  EXPECT_NEAR(fit.largest_residual, -1.92127, 1e-5);
  ASSERT_EQ(fit.residuals.size(), 11U);
  EXPECT_NEAR(fit.residuals[2], -1.92127, 1e-5);
}

TEST(LeastSquares, SaysHowFarOffInPartsOfThePoint) {
  const std::vector<double> one(3, 1.0), y{10, 20, 30};  // mean 20: off by 100 %, 0 and 33 %
  EXPECT_NEAR(least_squares({one}, y).median_relative_residual, 1.0 / 3, 1e-12);
  EXPECT_NEAR(least_squares({one}, y).r_squared, 0, 1e-12);
}

TEST(LeastSquares, RefusesWhatHasNoAnswer) {
  const std::vector<double> x{1, 2, 3}, twice{2, 4, 6}, two{1, 2}, zero(3, 0.0);
  EXPECT_THROW(least_squares({x, twice}, x), std::invalid_argument);
  EXPECT_THROW(least_squares({zero}, x), std::invalid_argument);
  EXPECT_THROW(least_squares({two}, x), std::invalid_argument);
  EXPECT_THROW(least_squares({two, two, two}, two), std::invalid_argument);
  EXPECT_THROW(least_squares({}, x), std::invalid_argument);
}

std::vector<SharedPoint> points(const auto& cycles) {
  std::vector<SharedPoint> all;
  for (int i = 1; i <= 32; i += 3)
    for (int w = 1; w <= 32; w += 3)
      for (int c = 1; c <= 32; c += 3) all.push_back({i, w, c, 0, cycles(i, w, c)});
  return all;
}

TEST(SharedFits, FindThePapersEquationInItsOwnPoints) {
  const Fit fit =
      paper_fit(points([](int i, int w, int c) { return 1.047 * i * w * c + 337.698; }));
  EXPECT_NEAR(fit.coefficients[0], 1.047, 1e-9);
  EXPECT_NEAR(fit.coefficients[1], 337.698, 1e-6);
}

TEST(SharedFits, TellAMachineWithNarrowBanksFromThePapers) {
  const auto narrow = points([](int i, int w, int c) {
    return 1.01 * i * std::max(4, std::max(2, w) * bank_wavefronts(static_cast<unsigned>(c), 8)) +
           0.5 * w + 25;
  });
  const Fit hopper = hopper_fit(narrow, 8);
  EXPECT_NEAR(hopper.coefficients[0], 1.01, 1e-9);
  EXPECT_NEAR(hopper.coefficients[1], 0.5, 1e-7);
  EXPECT_NEAR(hopper.coefficients[2], 25, 1e-6);
  EXPECT_GT(hopper.r_squared, paper_fit(narrow).r_squared);
}

}  // namespace
}  // namespace memstencil::membench
