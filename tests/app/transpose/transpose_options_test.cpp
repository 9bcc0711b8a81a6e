// Pins the values of transpose's own options, and how rows and tiles are shared out among ranks.
#include "app/transpose/plan.hpp"
#include "tests/app/base/parsed_options.hpp"
#include "tests/app/base/text_checks.hpp"

#include <gtest/gtest.h>

#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace memstencil::transpose {
namespace {

Options parse(const std::vector<const char*>& arguments) {
  return parse_options<Options>(arguments).options;
}

TEST(TransposeOptions, AreRead) {
  const Options o =
      parse({"--rows", "3", "--cols", "5", "--type", "double", "--variant", "diagonal-conflicts",
             "--tile", "16", "--memspace", "managed", "--first-touch", "host"});
  EXPECT_EQ(o.rows, 3);
  EXPECT_EQ(o.columns, 5);
  EXPECT_EQ(o.type, ElementType::Double);
  EXPECT_EQ(o.variant, Variant::DiagonalConflicts);
  EXPECT_EQ(o.tile, 16);
  EXPECT_EQ(o.memspace, MemorySpace::Managed);
  EXPECT_EQ(o.first_touch, Executor::Host);
  EXPECT_FALSE(parse({"--variant", "all"}).variant);
}

TEST(TransposeOptions, RefuseValuesThatAreNone) {
  const std::map<std::string, std::vector<const char*>> none{
      {"--rows", {"0", "2147483648"}},      {"--cols", {"-3"}},
      {"--pitch", {"0", "wide"}},           {"--type", {"half"}},
      {"--variant", {"fastest", "tuned"}},  {"--exchange", {"rdma"}},
      {"--tile", {"8", "24", "64", "wide"}}};
  for (const auto& [option, values] : none)
    for (const char* value : values)
      EXPECT_TRUE(starts_with(refused_options<Options>({option.c_str(), value}),
                              option + ": '" + value + "'"));
  EXPECT_TRUE(contains(refused_options<Options>({"--variant", "tile"}), "did you mean tiled?"));
}

TEST(Pitches, AreReadWholeOrRefused) {
  EXPECT_EQ(parse_pitch("None").of(300, 4), 300);
  EXPECT_EQ(parse_pitch("+1").of(512, 4), 513);
  EXPECT_EQ(parse_pitch("+0").of(512, 8), 512);
  EXPECT_EQ(parse_pitch("8192").of(512, 8), 8192);
  EXPECT_EQ(Pitch().of(300, 4), 320);
  for (const char* text : {"none", "+1", "8192"}) EXPECT_EQ(pitch_text(parse_pitch(text)), text);
  EXPECT_EQ(pitch_text({}), "");
  for (const char* text :
       {"", "+", "0", "-1", "+-1", "++1", "1.5", "2147483648", "+1000001", "lines"})
    EXPECT_THROW(parse_pitch(text), std::invalid_argument) << text;
}

TEST(Rows, AreSharedOutOnceAndEvenly) {
  for (const std::int64_t total : {1, 2, 3, 4, 5, 7, 100, 8191})
    for (int ranks = 1; ranks <= 5; ++ranks) {
      const Distribution part{{total, 3}, 0, ranks, 4};
      std::int64_t next = 0;
      for (int rank = 0; rank < ranks; ++rank) {
        const Slice slice = part.rows_of_a(rank);
        EXPECT_EQ(slice.first, next);
        EXPECT_GE(slice.count, total / ranks);
        EXPECT_LE(slice.count, (total + ranks - 1) / ranks);
        next += slice.count;
      }
      EXPECT_EQ(next, total);
    }
}

TEST(Tiles, TakeRoomForARanksTilesEachWay) {
  const double tile = 16384.0 * 16384 * 4;
  EXPECT_NEAR(Tiles::bytes({{32768, 32768}, 0, 2, 4}), 2 * tile, 1e3);
  EXPECT_NEAR(Tiles::bytes({{32768, 32768}, 0, 4, 4}), 2 * 3 * tile / 4, 1e3);
}

}  // namespace
}  // namespace memstencil::transpose
