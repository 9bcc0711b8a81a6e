// Structs to records, and to lines of CSV.
#include "app/base/record/archive.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace memstencil {
namespace {

struct Rate {
  std::string kind;
  double gbs = 0;
  MEMSTENCIL_DESCRIBED(kind, gbs)
};

struct Result {
  std::string name;
  bool verified = false;
  std::int64_t count = 0;
  std::array<int, 3> extents{};
  Rate limit;
  std::vector<Rate> variants;
  std::vector<double> samples;
  Named<double> phases;
  std::optional<std::string> driver;
  std::optional<Rate> link;
  Record options;

  void describe(Archive& a) const {
    MEMSTENCIL_MEMBERS(a, name, verified, count, extents, limit, variants, samples, phases);
    a("driver", driver);
    MEMSTENCIL_MEMBERS(a, link, options);
  }
};

Result sample() {
  return {.name = "a",
          .verified = true,
          .count = 12,
          .extents = {4, 5, 6},
          .limit = {"copy", 1.5},
          .variants = {{"x", 2}, {"y", 3}},
          .samples = {1, 2.5},
          .phases = {{"upload", 0.5}, {"sweeps", 2}},
          .driver = {},
          .link = {},
          .options = {{"prefetch", false}}};
}

TEST(Archive, WritesInTheOrderOfTheDescription) {
  EXPECT_EQ(
      to_record(sample()).dump(),
      R"({"name":"a","verified":true,"count":12,"extents":[4,5,6],"limit":{"kind":"copy","gbs":1.5},)"
      R"("variants":[{"kind":"x","gbs":2.0},{"kind":"y","gbs":3.0}],"samples":[1.0,2.5],)"
      R"("phases":{"upload":0.5,"sweeps":2.0},"driver":null,"options":{"prefetch":false}})");
}

TEST(Archive, WhatIsKnownIsWrittenAndAnEmptyListStaysAList) {
  Result r = sample();
  r.driver = "580";
  r.link = Rate{"link", 4};
  r.variants.clear();
  const Record written = to_record(r);
  EXPECT_EQ(written["driver"], "580");
  EXPECT_EQ(written["link"]["gbs"], 4.0);
  EXPECT_TRUE(written["variants"].is_array());
}

TEST(Named, FindsByName) {
  EXPECT_EQ(sample().phases.at("sweeps"), 2.0);
  EXPECT_EQ(sample().phases.find("halo"), nullptr);
  EXPECT_THROW(sample().phases.at("halo"), std::out_of_range);
}

TEST(CsvRows, HaveTheSameColumnsForWhatIsKnownAndForWhatIsNot) {
  Result known = sample(), unknown;
  known.driver = "570";
  known.link = Rate{.kind = "link", .gbs = 4};
  unknown.phases = {{"upload", 1.0}, {"sweeps", 1.0}};
  unknown.options = {{"prefetch", true}};
  const Record row = csv_rows(known)[0], blank = csv_rows(unknown)[0];
  EXPECT_EQ(row["link.gbs"], 4.0);
  EXPECT_EQ(row["extents.2"], 6);
  EXPECT_TRUE(blank["link.gbs"].is_null());
  EXPECT_FALSE(row.contains("samples.0"));
  ASSERT_EQ(row.size(), blank.size());
  for (const auto& [column, value] : row.items()) EXPECT_TRUE(blank.contains(column)) << column;
}

TEST(CsvRows, AreOneForEachElementOfTheListThatIsNamed) {
  const Record rows = csv_rows(sample(), "variants");
  ASSERT_EQ(rows.size(), 2);
  EXPECT_EQ(rows[1]["variants.kind"], "y");
  EXPECT_EQ(rows[1]["name"], "a");
}

}  // namespace
}  // namespace memstencil
