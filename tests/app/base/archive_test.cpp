// Structs to records and back, and what a record is refused for.
#include "app/base/record/archive.hpp"
#include "tests/app/base/refusal.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace memstencil {
namespace {

struct Rate {
  std::string kind;
  double gbs = 0;
};
void describe(Archive& a, Rate& rate) {
  a("kind", rate.kind);
  a("gbs", rate.gbs);
}

struct Asked {
  bool prefetch = true;
};
void describe(Archive& a, Asked& asked) { a("prefetch", asked.prefetch); }

struct Result {
  std::string name;
  bool verified = false;
  std::int64_t count = 0;
  std::size_t rehearsal = 7;
  std::array<int, 3> extents{};
  Rate limit;
  std::vector<Rate> variants;
  std::vector<double> samples;
  Named<double> phases;
  std::optional<std::string> driver;
  std::optional<Rate> link;
  Record options;
  Asked asked;
};
void describe(Archive& a, Result& r) {
  a("name", r.name);
  a("verified", r.verified);
  a.at_least("count", r.count, 1);
  a.defaulted("rehearsal", r.rehearsal);
  a("extents", r.extents);
  a("limit", r.limit);
  a("variants", r.variants);
  a.not_empty("samples", r.samples);
  a.with_names("phases", r.phases, {"sweeps"});
  a("driver", r.driver);
  a.optional("link", r.link);
  a.any_group("options", r.options);
  a.part_of("options", r.asked);
}

const Record record = Record::parse(R"({"name": "a", "verified": true, "count": 12, "rehearsal": 3,
  "extents": [4, 5, 6], "limit": {"kind": "copy", "gbs": 1.5}, "variants": [{"kind": "x", "gbs": 2.0},
  {"kind": "y", "gbs": 3.0}], "samples": [1.0, 2.5], "phases": {"upload": 0.5, "sweeps": 2.0},
  "driver": null, "options": {"prefetch": false}})");

std::string refused(const Record& damaged) {
  return refusal(ExitCode::Other, [&] { from_record<Result>(damaged, "a.h5, run 0002"); });
}

Record with(const char* pointer, const Record& value) {
  Record changed = record;
  changed[Record::json_pointer(pointer)] = value;
  return changed;
}

TEST(Archive, WritesInTheOrderOfTheDescriptionWhatItReads) {
  const Result r = from_record<Result>(record, "");
  EXPECT_EQ(r.count, 12);
  EXPECT_EQ(r.variants[1].kind, "y");
  EXPECT_EQ(*r.phases.find("sweeps"), 2.0);
  EXPECT_EQ(r.phases.find("halo"), nullptr);
  EXPECT_FALSE(r.driver);
  EXPECT_FALSE(r.asked.prefetch);
  EXPECT_EQ(to_record(r).dump(), record.dump());
}

TEST(Archive, WhatIsThereIsWrittenAndWhatIsNotKnownIsNull) {
  Result r = from_record<Result>(record, "");
  r.driver = "580";
  r.link = Rate{"link", 4};
  EXPECT_EQ(to_record(r)["link"]["gbs"], 4.0);
  EXPECT_EQ(from_record<Result>(to_record(r), "").driver, "580");
  EXPECT_EQ(from_record<Result>(to_record(r), "").link->kind, "link");
}

TEST(Archive, AnOlderRecordMayLackWhatHasADefaultAndWhatNeedNotBeKnown) {
  Record older = record;
  older.erase("rehearsal");
  older.erase("driver");
  EXPECT_EQ(from_record<Result>(older, "").rehearsal, 7u);
  EXPECT_FALSE(from_record<Result>(older, "").driver);
}

TEST(Archive, AnEmptyListStaysAList) {
  const Record written = to_record(from_record<Result>(with("/variants", Record::array()), ""));
  EXPECT_TRUE(written["variants"].is_array());
}

TEST(Archive, AMissingMemberIsNamedWithItsPath) {
  Record damaged = record;
  damaged["limit"].erase("gbs");
  EXPECT_EQ(refused(damaged), "a.h5, run 0002: 'limit.gbs' is missing");
  damaged = record;
  damaged["variants"][1].erase("kind");
  EXPECT_EQ(refused(damaged), "a.h5, run 0002: 'variants.0002.kind' is missing");
  damaged = record;
  damaged["phases"].erase("sweeps");
  EXPECT_EQ(refused(damaged), "a.h5, run 0002: 'phases.sweeps' is missing");
}

TEST(Archive, AMemberOfAnotherTypeIsNamedWithWhatIsNeeded) {
  const std::vector<std::pair<std::string, Record>> damages{
      {"'limit.gbs' is a text, a number is needed", with("/limit/gbs", "fast")},
      {"'limit.gbs' is null, a number is needed", with("/limit/gbs", nullptr)},
      {"'limit' is a number, a group is needed", with("/limit", 3)},
      {"'name' is a list, a text is needed", with("/name", Record::array())},
      {"'verified' is a number, true or false is needed", with("/verified", 1)},
      {"'variants' is a group, a list is needed", with("/variants", Record::object())},
      {"'variants.0001' is a number, a group is needed", with("/variants/0", 1)},
      {"'samples.0002' is true or false, a number is needed", with("/samples/1", true)},
      {"'phases.upload' is a text, a number is needed", with("/phases/upload", "long")},
      {"'driver' is a number, a text is needed", with("/driver", 580)},
      {"'extents' has 2 elements, 3 are needed", with("/extents", {1, 2})},
      {"'samples' is empty", with("/samples", Record::array())},
      {"'count' is 0, at least 1 is needed", with("/count", 0)},
      {"'options' is a text, a group is needed", with("/options", "none")},
      {"'options.prefetch' is a number, true or false is needed", with("/options/prefetch", 1)},
      {"the record is a list, a group is needed", Record::array()}};
  for (const auto& [line, damaged] : damages)
    EXPECT_EQ(refused(damaged), "a.h5, run 0002: " + line);
}

TEST(Archive, WholeNumbersAreWholeAndFit) {
  EXPECT_EQ(from_record<Result>(with("/count", 10.0), "").count, 10);
  for (const Record& wrong : {Record(2.5), Record(1e300), Record("1")})
    EXPECT_NE(refused(with("/count", wrong)).find("a whole number"), std::string::npos);
  EXPECT_NE(refused(with("/rehearsal", -1)).find("a whole number from 0"), std::string::npos);
  EXPECT_NE(refused(with("/extents/2", 3e9)).find("'extents.0003'"), std::string::npos);
}

/// Each member in turn is removed or takes another type: read all the same, or refused in one line.
void damage(const Record& part, const Record::json_pointer& at) {
  for (const auto& [key, value] : part.items()) {
    const auto here = part.is_array() ? at / std::stoul(key) : at / key;
    for (const Record& other :
         {Record(), Record("text"), Record(1.5), Record::array(), Record::object()}) {
      Record damaged = record;
      damaged[here] = other;
      try {
        from_record<Result>(damaged, "x");
      } catch (const Failure& failure) {
        EXPECT_EQ(failure.code(), ExitCode::Other);
      }
    }
    if (value.is_structured()) damage(value, here);
  }
}

TEST(Archive, NothingButAFailureEscapes) {
  EXPECT_NO_THROW(damage(record, Record::json_pointer()));
}

TEST(CsvRows, HaveTheSameColumnsForWhatIsKnownAndForWhatIsNot) {
  Result known = from_record<Result>(record, "the record"), unknown;
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
  const Record rows = csv_rows(from_record<Result>(record, "the record"), "variants");
  ASSERT_EQ(rows.size(), 2);
  EXPECT_EQ(rows[1]["variants.kind"], "y");
  EXPECT_EQ(rows[1]["name"], "a");
}

}  // namespace
}  // namespace memstencil
