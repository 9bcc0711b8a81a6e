// Pins the grid's size as it is typed, and its domain decomposition.
#include "app/grid/subdomain.hpp"

#include "tests/app/base/refusal.hpp"
#include "tests/app/base/text_checks.hpp"
#include "tests/kernels/points.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

namespace memstencil {
namespace {

TEST(Size, IsANameOrAnyExtents) {
  for (const auto& [text, extents] :
       std::vector<std::pair<std::string, Triple>>{{"XS", {32, 32, 64}},
                                                   {"S", {64, 64, 128}},
                                                   {"M", {128, 128, 256}},
                                                   {"L", {256, 256, 512}},
                                                   {"XL", {512, 512, 1024}},
                                                   {"37x45x83", {37, 45, 83}},
                                                   {"3x3x2147483647", {3, 3, 2147483647}}}) {
    EXPECT_EQ(parse_size(text), extents);
    EXPECT_EQ(size_name(extents), text);
  }
}

TEST(Size, ThatIsNoneIsRefusedWithWhatIsValid) {
  for (const char* text :
       {"", "XXL", "64", "64x64", "64x64x", "x64x64", "64x64x64x64", "2x64x64", "64x2x64",
        "64x64x2", "64x64x2147483648", "-64x64x64", "64X64X64", "64 x64x64", "64x64x64 ",
        "6.4x64x64", "+64x64x64", "0x40x64x64", "64x64xS"}) {
    try {
      parse_size(text);
      ADD_FAILURE() << "'" << text << "' was taken";
    } catch (const std::invalid_argument& refused) {
      EXPECT_TRUE(contains(refused.what(), std::string("'") + text + "'"));
      EXPECT_TRUE(contains(refused.what(), "XS, S, M, L, XL and IxJxK"));
    }
  }
}

TEST(Ranks, AreThreeNumbersFromOne) {
  EXPECT_EQ(parse_ranks("1x1x1"), (std::array<int, 3>{1, 1, 1}));
  EXPECT_EQ(parse_ranks("3x2x4"), (std::array<int, 3>{3, 2, 4}));
  EXPECT_EQ(ranks_text({3, 2, 4}), "3x2x4");
  for (const char* text :
       {"", "4", "2x2", "0x1x1", "1x-1x1", "2x2x2x2", "2x2xa", "99999999999x1x1"})
    EXPECT_THROW(parse_ranks(text), std::invalid_argument) << text;
  EXPECT_EQ(ranks_text(parse_ranks("2147483647x1x1")), "2147483647x1x1");
  EXPECT_EQ(ranks_text(parse_ranks("46340x46341x1")), "46340x46341x1");
  // In 64 bits the first two wrap to -4294967295... and 1, the last is 2^31.
  for (const char* text :
       {"2147483647x2147483647x2147483647", "998724481x1119412321x33", "1024x1024x2048"})
    EXPECT_THROW(parse_ranks(text), std::invalid_argument) << text;
}

TEST(UpdatedPoints, AreThoseInsideTheBoundary) {
  EXPECT_EQ(updated_points({64, 64, 128}), 62.0 * 62.0 * 126.0);
  // Beyond what 64-bit integers hold.
  EXPECT_NEAR(updated_points({2147483647, 2147483647, 2147483647}), 9.9e27, 1e26);
}

struct Decomposition {
  Triple global;
  std::array<int, 3> ranks;
  int halo;
};

int count(const std::array<int, 3>& ranks) { return ranks[0] * ranks[1] * ranks[2]; }

std::vector<Subdomain> all_parts(const Decomposition& d) {
  std::vector<Subdomain> parts;
  for (int rank = 0; rank < count(d.ranks); ++rank)
    parts.push_back(subdomain_of(d.global, d.ranks, rank, count(d.ranks), d.halo));
  return parts;
}

const std::vector<Decomposition> decompositions{
    {{3, 3, 3}, {1, 1, 1}, 1},    {{3, 3, 3}, {1, 1, 1}, 8},    {{5, 4, 7}, {1, 1, 1}, 4},
    {{5, 4, 7}, {3, 2, 5}, 1},    {{37, 45, 83}, {2, 1, 1}, 1}, {{37, 45, 83}, {3, 1, 1}, 2},
    {{37, 45, 83}, {1, 3, 1}, 4}, {{37, 45, 83}, {1, 1, 7}, 3}, {{37, 45, 83}, {2, 3, 4}, 8},
    {{37, 45, 83}, {5, 7, 9}, 6}, {{19, 23, 37}, {17, 1, 2}, 1}};

TEST(Subdomains, OwnEveryInteriorPointOnce) {
  for (const Decomposition& d : decompositions) {
    const std::int64_t I = d.global[0], J = d.global[1], K = d.global[2];
    std::vector<int> owners(static_cast<std::size_t>(I * J * K));
    for (const Subdomain& subdomain : all_parts(d)) {
      for_points(subdomain.global_box(subdomain.grid.owned), [&](auto i, auto j, auto k) {
        ++owners.at(static_cast<std::size_t>((i * J + j) * K + k));
      });
    }
    std::size_t wrong = 0;
    for_points({{}, {I, J, K}}, [&](auto i, auto j, auto k) {
      const bool inside = i > 0 && i < I - 1 && j > 0 && j < J - 1 && k > 0 && k < K - 1;
      wrong += owners[static_cast<std::size_t>((i * J + j) * K + k)] != (inside ? 1 : 0);
    });
    EXPECT_EQ(wrong, 0U) << size_name(d.global) << " on " << ranks_text(d.ranks);
  }
}

TEST(Subdomains, HaveAHaloTowardsNeighboursAndTheBoundaryAtTheEnds) {
  for (const Decomposition& d : decompositions)
    for (const Subdomain& subdomain : all_parts(d))
      for (int dim = 0; dim < 3; ++dim) {
        const auto u = static_cast<std::size_t>(dim);
        const Grid& grid = subdomain.grid;
        const bool below = subdomain.neighbour(dim, -1).has_value();
        const bool above = subdomain.neighbour(dim, 1).has_value();
        EXPECT_EQ(below, subdomain.position[u] > 0);
        EXPECT_EQ(above, subdomain.position[u] < d.ranks[u] - 1);
        EXPECT_EQ(grid.owned.lo[dim], below ? d.halo : 1);
        EXPECT_EQ(grid.extents[dim] - grid.owned.hi[dim], above ? d.halo : 1);
        EXPECT_EQ(grid.interior.lo[dim], below ? 0 : 1);
        EXPECT_EQ(grid.extents[dim] - grid.interior.hi[dim], above ? 0 : 1);
        EXPECT_GE(subdomain.origin[u], 0);
        EXPECT_LE(subdomain.origin[u] + grid.extents[dim], d.global[u]);
        EXPECT_GE(grid.pitch, grid.extents[2]);
        // Ranks differ by a layer at most.
        const std::int64_t least = (d.global[u] - 2) / d.ranks[u];
        const std::int64_t mine = grid.owned.hi[dim] - grid.owned.lo[dim];
        EXPECT_TRUE(mine == least || mine == least + 1) << mine;
      }
}

void expect_refused(const Decomposition& d, int size, const std::string& part_of_line) {
  const auto divide = [&] { subdomain_of(d.global, d.ranks, 0, size, d.halo); };
  EXPECT_TRUE(contains(refusal(ExitCode::Usage, divide), part_of_line))
      << size_name(d.global) << " into " << ranks_text(d.ranks);
}

TEST(Subdomains, TooSmallForTheirHaloAreRefused) {
  expect_refused({{5, 5, 5}, {4, 1, 1}, 1}, 4, "too small");
  expect_refused({{10, 10, 10}, {2, 1, 1}, 5}, 2, "fewer sweeps a pass");
  expect_refused({{10, 10, 9}, {1, 1, 2}, 4}, 2, "too small");
  EXPECT_NO_THROW(subdomain_of({10, 10, 10}, {2, 1, 1}, 0, 2, 4));
}

TEST(Subdomains, WhoseRanksAreNotThoseOfTheRunAreRefused) {
  expect_refused({{64, 64, 128}, {2, 2, 1}, 1}, 3, "--ranks 2x2x1");
  expect_refused({{64, 64, 128}, {1, 1, 1}, 1}, 4, "4 ranks");
  expect_refused({{64, 64, 128}, {65536, 65536, 2}, 1}, 0, "--ranks");  // 2^33: no overflow
}

}  // namespace
}  // namespace memstencil
