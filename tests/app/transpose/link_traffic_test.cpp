// Pins the traffic derived for a link: against a count of every sector, and for the known patterns.
#include "app/transpose/link_traffic.hpp"

#include <gtest/gtest.h>

#include <set>

namespace memstencil::transpose {
namespace {

/// The units that each access touches, one by one.
double counted(std::int64_t rows, std::int64_t columns, std::int64_t pitch, std::int64_t run,
               std::int64_t size, std::int64_t unit) {
  std::int64_t touched = 0;
  for (std::int64_t r = 0; r < rows; ++r)
    for (std::int64_t first = 0; first < columns; first += run) {
      std::set<std::int64_t> units;
      for (std::int64_t c = first; c < columns && c < first + run; ++c)
        for (std::int64_t byte = 0; byte < size; ++byte)
          units.insert(((r * pitch + c) * size + byte) / unit);
      touched += static_cast<std::int64_t>(units.size());
    }
  return static_cast<double>(touched * unit);
}

TEST(BytesTouched, AreThoseOfEveryAccess) {
  for (const std::int64_t rows : {1, 3, 40, 200})
    for (const std::int64_t columns : {1, 31, 65})
      for (const std::int64_t padding : {0, 1, 7})
        for (const std::int64_t run : {1, 4, 32})
          for (const std::size_t size : {4, 8})
            for (const std::int64_t unit : {32, 128})
              EXPECT_EQ(bytes_touched(rows, columns, columns + padding, run, size, unit),
                        counted(rows, columns, columns + padding, run,
                                static_cast<std::int64_t>(size), unit))
                  << rows << "x" << columns << "+" << padding << " by " << run << ", " << size
                  << ", " << unit;
}

double sectors_over_asked(Variant variant, Operation operation, std::size_t size) {
  const auto traffic = link_traffic(variant, {1024, 2048}, operation, size);
  return traffic->sectors / traffic->asked;
}

TEST(LinkTraffic, IsWhatIsAskedForWhereWarpsGoAlongRows) {
  for (const Variant variant :
       {Variant::Copy, Variant::Tiled, Variant::Padded, Variant::Diagonal, Variant::Portable,
        Variant::Tuned, Variant::Tiled16, Variant::Padded16, Variant::Diagonal16,
        Variant::DiagonalConflicts16})
    EXPECT_EQ(sectors_over_asked(variant, Operation::Plain, sizeof(float)), 1.0) << name(variant);
}

TEST(LinkTraffic, OfTheNaiveWritesIsASectorAnElement) {
  EXPECT_EQ(sectors_over_asked(Variant::Naive, Operation::Plain, sizeof(float)), (1.0 + 8.0) / 2);
  EXPECT_EQ(sectors_over_asked(Variant::Naive, Operation::Plain, sizeof(double)), (1.0 + 4.0) / 2);
  EXPECT_EQ(sectors_over_asked(Variant::Naive, Operation::Accumulate, sizeof(float)),
            (1.0 + 2 * 8.0) / 3);
  const auto traffic = link_traffic(Variant::Naive, {1024, 2048}, Operation::Plain, sizeof(float));
  EXPECT_EQ(traffic->asked, 2.0 * 1024 * 2048 * 4);
  EXPECT_EQ(traffic->lines / traffic->asked, (1.0 + 32.0) / 2);
}

TEST(LinkTraffic, OfTilesOf16IsInRunsOf16AndOfTheirNaiveWritesInPairs) {
  EXPECT_EQ(sectors_over_asked(Variant::Naive16, Operation::Plain, sizeof(float)), (1.0 + 4.0) / 2);
  EXPECT_EQ(sectors_over_asked(Variant::Naive16, Operation::Plain, sizeof(double)),
            (1.0 + 2.0) / 2);
  const auto traffic =
      link_traffic(Variant::Tiled16, {1024, 2048}, Operation::Plain, sizeof(float));
  EXPECT_EQ(traffic->lines / traffic->asked, 2.0);
}

TEST(LinkTraffic, OfALibraryIsNotKnown) {
  EXPECT_FALSE(link_traffic(Variant::Vendor, {64, 64}, Operation::Plain, sizeof(float)));
}

}  // namespace
}  // namespace memstencil::transpose
