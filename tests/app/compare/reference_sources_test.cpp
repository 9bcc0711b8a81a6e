// Published figures of the article on Kepler and of the UFRGS thesis, as we ship them, beside ours.
#include "app/compare/counterparts.hpp"
#include "tests/app/compare/records.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace memstencil::compare {
namespace {

/// A membench result of a probe with these measurements: name, parameters, unit, median.
struct Measured {
  std::string name;
  Record parameters;
  std::string unit;
  double median;
};
Record probed(const char* probe, const std::vector<Measured>& measured) {
  Record result = membench(one, 50);
  result["probes"][0]["name"] = probe;
  Record& measurements = result["probes"][0]["measurements"];
  const Record like = measurements[0];
  measurements = Record::array();
  for (const Measured& each : measured) {
    measurements.push_back(like);
    measurements.back().update({{"name", each.name},
                                {"parameters", each.parameters},
                                {"unit", each.unit},
                                {"median", each.median}});
  }
  return result;
}

/// {our value, ours / published} of each figure of the shipped file that has a counterpart.
std::vector<std::pair<Record, Record>> beside(const char* file, const Record& result) {
  const Runs runs{run("a.h5", result)};
  std::vector<std::pair<Record, Record>> found;
  for (const auto& row :
       published_table(read_reference(std::string(MEMSTENCIL_INPUTS "/reference/") + file),
                       sides_of(runs, {}))
           .rows)
    if (row[4] != "no such result") found.emplace_back(row[5], row[6]);
  return found;
}

std::vector<std::pair<Record, Record>> beside_the_article(const Record& result) {
  return beside("kepler-article.toml", result);
}

TEST(ReferenceSources, MoreRegistersStandBesideTheArticleAsARatioOfTimes) {
  const auto at = [](int limit, double seconds) {
    return Measured{"112 live fp64 values, at most " + std::to_string(limit) + " registers",
                    {{"live", 112}, {"type", "fp64"}, {"limit", limit}},
                    "s",
                    seconds};
  };
  const auto found = beside_the_article(probed("registers", {at(63, 5.3), at(64, 5), at(255, 2)}));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_DOUBLE_EQ(found[0].first.get<double>(), 2.65);
  EXPECT_DOUBLE_EQ(found[0].second.get<double>(), 0.5);
}

TEST(ReferenceSources, ShufflesStandBesideTheArticlesTransform) {
  const auto by = [](const char* method, const char* load, const char* name, double median) {
    return Measured{
        std::string("FFT of 32 points by ") + method + ", " + name,
        {{"scope", "FFT of a warp"}, {"type", "fp32"}, {"method", method}, {"load", load}},
        load == std::string("alone") ? "cycles" : "1/clock",
        median};
  };
  const auto found = beside_the_article(probed(
      "warp",
      {by("shuffle", "alone", "alone", 200), by("shuffle", "full", "full SM", 0.3),
       by("shared memory", "alone", "alone", 300), by("shared memory", "full", "full SM", 0.2)}));
  ASSERT_EQ(found.size(), 2u);
  EXPECT_DOUBLE_EQ(found[0].first.get<double>(), 1.5);
  EXPECT_DOUBLE_EQ(found[1].first.get<double>(), 1.5);
}

TEST(ReferenceSources, UpdatesAClockStandBesideKeplers) {
  Record result = probed("atomics", {});
  result["probes"][0]["derived"] = {
      {"per_clock", {{"add 32-bit", {{"global, one", 0.5}, {"global, spread", 300}}}}}};
  const auto found = beside_the_article(result);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].first, 0.5);
  EXPECT_EQ(found[0].second, 0.5);
}

TEST(ReferenceSources, CopiesStandBesideTheUfrgsThesisAsPartsOfTheCoalescedOne) {
  const auto copied = [](const char* pattern, int step, double gbs) {
    const std::string which = step > 0 ? " " + std::to_string(step) : "";
    return Measured{pattern + which + ", 2048 x 2048",
                    {{"pattern", pattern}, {"step", step}, {"rows", 2048}, {"columns", 2048}},
                    "GB/s",
                    gbs};
  };
  const auto found = beside("ufrgs-thesis.toml",
                            probed("copy", {copied("coalesced", 0, 2000), copied("offset", 1, 1900),
                                            copied("stride", 2, 800), copied("stride", 32, 300)}));
  ASSERT_EQ(found.size(), 4u);
  EXPECT_DOUBLE_EQ(found[0].first.get<double>(), 0.95);
  EXPECT_DOUBLE_EQ(found[0].second.get<double>(), 1.9) << "over 'less than half'";
  EXPECT_DOUBLE_EQ(found[1].second.get<double>(), 0.95 / 0.4);
  EXPECT_DOUBLE_EQ(found[2].second.get<double>(), 1.0);
  EXPECT_DOUBLE_EQ(found[3].first.get<double>(), 0.15);
}

TEST(ReferenceSources, TransposesStandBesideTheUfrgsThesisAsRatiosToTheStepBefore) {
  Record result = transpose(one, "device", "copy", 0);
  result["memspace"] = {{"requested", "device"}, {"effective", "device"}};
  const Record like = result["variants"][0];
  result["variants"] = Record::array();
  for (const auto& [name, gbs] :
       std::vector<std::pair<const char*, double>>{{"copy", 3000},
                                                   {"naive", 300},
                                                   {"tiled", 1800},
                                                   {"padded", 2700},
                                                   {"diagonal", 2600},
                                                   {"diagonal-conflicts", 1300}}) {
    Record variant = like;
    variant.update({{"name", name}, {"gbs", {{"min", gbs}, {"median", gbs}, {"max", gbs}}}});
    result["variants"].push_back(variant);
  }
  const auto found = beside("ufrgs-thesis.toml", result);
  ASSERT_EQ(found.size(), 4u);
  EXPECT_DOUBLE_EQ(found[0].second.get<double>(), 1.0);
  EXPECT_DOUBLE_EQ(found[1].first.get<double>(), 6.0);
  EXPECT_DOUBLE_EQ(found[1].second.get<double>(), 1.0);
  EXPECT_DOUBLE_EQ(found[2].second.get<double>(), 1.2);
  EXPECT_DOUBLE_EQ(found[3].first.get<double>(), 0.5);
}

}  // namespace
}  // namespace memstencil::compare
