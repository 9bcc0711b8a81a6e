// Pins the values of transpose's own options: what is taken, and what is
// refused with what is valid.
#include "app/transpose/options.hpp"
#include "tests/app/base/parsed_options.hpp"
#include "tests/app/base/text_checks.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

namespace memstencil::transpose {
namespace {

Options parse(const std::vector<const char*>& arguments) {
  return parse_options<Options>(arguments).options;
}
constexpr auto refusal = refused_options<Options>;

TEST(TransposeDefaults, AreTheContracts) {
  const Options o = parse({});
  EXPECT_EQ(o.rows, 8192);
  EXPECT_EQ(o.columns, 8192);
  EXPECT_EQ(o.type, ElementType::Float);
  EXPECT_EQ(o.iterations, 100);
  EXPECT_EQ(o.repeat, 1);
  EXPECT_EQ(o.memspace, MemorySpace::Device);
  EXPECT_FALSE(o.variant || o.every_variant);
  EXPECT_FALSE(o.in_place || o.accumulate || o.sizes || o.executor);
}

TEST(TransposeOptions, AreRead) {
  const Options o =
      parse({"--rows", "3", "--cols", "5", "--type", "double", "--variant", "diagonal-conflicts",
             "--accumulate", "--memspace", "managed", "--first-touch", "host"});
  EXPECT_EQ(o.rows, 3);
  EXPECT_EQ(o.columns, 5);
  EXPECT_EQ(o.type, ElementType::Double);
  EXPECT_EQ(o.variant, Variant::DiagonalConflicts);
  EXPECT_TRUE(o.accumulate);
  EXPECT_EQ(o.memspace, MemorySpace::Managed);
  EXPECT_EQ(o.first_touch, Executor::Host);
  EXPECT_TRUE(parse({"--variant", "all"}).every_variant);
}

TEST(TransposeOptions, TimeAFixedNumberOfIterationsOrWithConfidenceAtMostThat) {
  const StoppingRule fixed = iterations_of(parse({"--iterations", "7"}));
  EXPECT_EQ(fixed.fewest, 7);
  EXPECT_EQ(fixed.most, 7);
  const StoppingRule confident = iterations_of(parse({"--iterations", "700", "--confidence"}));
  EXPECT_EQ(confident.fewest, 20);
  EXPECT_EQ(confident.most, 700);
  EXPECT_EQ(confident.half_width, 0.05);
}

TEST(TransposeOptions, ThatContradictEachOtherAreRefused) {
  EXPECT_TRUE(contains(refusal({"--in-place", "--accumulate"}), "exclude each other"));
  EXPECT_TRUE(contains(refusal({"--sweep-sizes", "1:2:1", "--rows", "5"}), "exclude each other"));
  EXPECT_TRUE(contains(refusal({"--sweep-sizes", "1:2:1", "--cols", "5"}), "exclude each other"));
}

TEST(TransposeOptions, OutOfRangeAreRefused) {
  EXPECT_TRUE(contains(refusal({"--rows", "0"}), "from 1 to 2147483647"));
  EXPECT_TRUE(contains(refusal({"--cols", "2147483648"}), "from 1 to 2147483647"));
  EXPECT_TRUE(contains(refusal({"--type", "half"}), "float, double"));
  EXPECT_TRUE(contains(refusal({"--variant", "tune"}), "did you mean tuned?"));
  EXPECT_TRUE(contains(refusal({"--iterations", "0"}), "--iterations"));
}

TEST(Pitches, AreReadWholeOrRefused) {
  EXPECT_EQ(parse_pitch("none").of(300, 4), 300);
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

TEST(SizeRanges, AreReadWholeOrRefused) {
  const SizeRange sizes = parse_sizes("512:4096:128");
  EXPECT_EQ(sizes.from, 512);
  EXPECT_EQ(sizes.to, 4096);
  EXPECT_EQ(sizes.step, 128);
  EXPECT_EQ(sizes_text(sizes), "512:4096:128");
  EXPECT_EQ(parse_sizes("5:5:1").to, 5);
  EXPECT_EQ(parse_sizes("1:1000:1").to, 1000);
  for (const char* text :
       {"", "5", "5:6", "5:6:", ":6:1", "5::1", "6:5:1", "0:5:1", "1:5:0", "1:5:-1", "1:5:1:1",
        "1:2147483648:1", "1: 5:1", "a:b:c", "1:1001:1", "1:2147483647:1"})
    EXPECT_THROW(parse_sizes(text), std::invalid_argument) << text;
}

}  // namespace
}  // namespace memstencil::transpose
