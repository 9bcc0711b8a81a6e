// Structs to records.
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
  Result known = sample();
  known.driver = "580";
  known.link = Rate{"link", 4};
  known.variants.clear();
  EXPECT_EQ(to_record(known)["driver"], "580");
  EXPECT_EQ(to_record(known)["link"]["gbs"], 4.0);
  EXPECT_TRUE(to_record(known)["variants"].is_array());
}

TEST(Named, FindsByName) {
  EXPECT_EQ(sample().phases.at("sweeps"), 2.0);
  EXPECT_EQ(sample().phases.find("halo"), nullptr);
  EXPECT_THROW(sample().phases.at("halo"), std::out_of_range);
}

}  // namespace
}  // namespace memstencil
