// Structs to records, and the writers of a record: JSON and the pieces of text.
#include "app/base/record/record.hpp"
#include "app/base/record/text_report.hpp"
#include "tests/app/base/refusal.hpp"
#include "tests/app/base/text_checks.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace memstencil {
namespace {

TEST(Json, IsOneObjectInTheOrderOfInsertion) {
  const std::string text = to_json({{"zeta", 1}, {"alpha", {{"x", 0.1}}}, {"none", nullptr}});
  EXPECT_EQ(text, "{\n  \"zeta\": 1,\n  \"alpha\": {\n    \"x\": 0.1\n  },\n  \"none\": null\n}\n");
}

TEST(Json, TextThatIsNotUtf8DoesNotCostTheResult) {
  EXPECT_TRUE(contains(to_json({{"file", "a\xff"}}), "a\xef\xbf\xbd"));
}

TEST(Writers, RefuseANumberThatIsNotFiniteAndNameIt) {
  const Record record = {{"ok", 1.0},
                         {"runs", {{{"gosa", std::numeric_limits<double>::infinity()}}}}};
  EXPECT_TRUE(contains(refusal(ExitCode::Verification, [&] { to_json(record); }), "runs.0.gosa"));
}

struct Rate {
  std::string kind;
  double gbs = 0;
  MEMSTENCIL_DESCRIBED(kind, gbs)
};

struct Result {
  std::string name;
  std::vector<Rate> variants;
  Named<double> phases;
  std::optional<std::string> driver;
  std::optional<Rate> link;
  Record options;

  void describe(Archive& a) const {
    MEMSTENCIL_MEMBERS(a, name, variants, phases);
    a("driver", driver);
    MEMSTENCIL_MEMBERS(a, link, options);
  }
};

TEST(Archive, WritesInTheOrderOfTheDescription) {
  Result result{"a", {{"x", 2}, {"y", 3}}, {{"upload", 0.5}, {"sweeps", 2}}, {}, {}, {}};
  result.options = {{"prefetch", false}};
  EXPECT_EQ(to_record(result).dump(),
            R"({"name":"a","variants":[{"kind":"x","gbs":2.0},{"kind":"y","gbs":3.0}],)"
            R"("phases":{"upload":0.5,"sweeps":2.0},"driver":null,"options":{"prefetch":false}})");
  result.driver = "580";
  result.link = Rate{"link", 4};
  result.variants.clear();
  EXPECT_EQ(to_record(result)["driver"], "580");
  EXPECT_EQ(to_record(result)["link"]["gbs"], 4.0);
  EXPECT_TRUE(to_record(result)["variants"].is_array());
  EXPECT_EQ(result.phases.at("sweeps"), 2.0);
  EXPECT_EQ(result.phases.find("halo"), nullptr);
  EXPECT_THROW(result.phases.at("halo"), std::out_of_range);
}

TEST(TextReport, AlignsItsColons) {
  EXPECT_EQ(aligned_lines({{"size", "M"}, {"iterations", "3"}, {"gosa", "1"}}),
            "size       : M\niterations : 3\ngosa       : 1\n");
}

TEST(TextReport, GivesFourDigitsAndTheRightUnit) {
  EXPECT_EQ(seconds_text(0), "0 s");
  EXPECT_EQ(seconds_text(123.456), "123.5 s");
  EXPECT_EQ(seconds_text(1.5), "1.500 s");
  EXPECT_EQ(seconds_text(0.0567), "56.70 ms");
  EXPECT_EQ(seconds_text(7.2e-6), "7.200 us");
  EXPECT_EQ(seconds_text(3e-10), "0.300 ns");
  EXPECT_EQ(bytes_text(999), "999 B");
  EXPECT_EQ(bytes_text(14e9), "14.00 GB");
  EXPECT_EQ(bytes_text(4096), "4.096 kB");
  EXPECT_EQ(bandwidth_text(3026.4e9), "3026 GB/s");
  EXPECT_EQ(bandwidth_text(0.5e9), "0.500 GB/s");
}

TEST(Text, OfATotalHasSecondsAndPutsSmallPartsTogether) {
  EXPECT_EQ(total_text(0.604, {{"allocate", 0.049}, {"upload", 0.0}, {"sweeps", 0.555}}),
            "0.604 s in all: allocate 0.049, sweeps 0.555");
  EXPECT_EQ(total_text(0.012, {{"sweeps", 0.0119}, {"free", 0.0001}}),
            "0.0120 s in all: sweeps 0.0119");
  EXPECT_EQ(
      total_text(8.94, {{"sweeps", 8.82}, {"reduce", 0.037}, {"halo", 0.033}, {"free", 0.05}}),
      "8.94 s in all: sweeps 8.82, other 0.12");
  // Rounded by themselves they would be 1.04.
  EXPECT_EQ(total_text(1.0, std::vector(8, std::pair{std::string("part"), 0.125})),
            "1.00 s in all: part 0.13, part 0.12, part 0.13, part 0.12, part 0.13, part 0.12, part "
            "0.13, part 0.12");
  EXPECT_EQ(total_text(1.0, {{"sweeps", 0.8}}), "1.00 s in all: sweeps 0.80, other 0.20");
  EXPECT_EQ(total_text(6e-5, {{"sweeps", 6e-5}}), "0.00006 s in all: sweeps 0.00006");
}

}  // namespace
}  // namespace memstencil
