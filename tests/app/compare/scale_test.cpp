// Pins the scale of what memcompare shows: which of two runs counts, and the parts of its time.
#include "app/compare/predict/model_rows.hpp"
#include "app/compare/read/sample.hpp"
#include "app/compare/show/answer.hpp"
#include "tests/app/compare/records.hpp"

#include <gtest/gtest.h>

namespace memstencil::compare {
namespace {

Record with_sweep(double gflops, double sweep) {
  Record record = himeno(one, gflops);
  record["sweeps"]["seconds"] = std::vector<double>(10, sweep);
  record["phases"] = {{"sweeps", 10 * sweep}};
  return record;
}

TEST(CompareScale, OfTwoRunsTheFasterCounts) {
  const Record fast = with_sweep(1300, 0.1), slow = with_sweep(1000, 0.13);
  for (const auto& records : {std::vector{fast, slow}, {slow, fast}}) {
    const Compared a({{"a", records}});
    ASSERT_EQ(a.sides[0].groups.size(), 1U);
    const Sample& sample = a.sides[0].groups[0].middle();
    EXPECT_DOUBLE_EQ(sample.median, 0.1);
    EXPECT_DOUBLE_EQ(sample.speed, 1300);
    EXPECT_DOUBLE_EQ(sample.bandwidth, 1500);
    EXPECT_DOUBLE_EQ(sample.limit, 3000);
  }
}

/// 0.1 s a sweep but the first, which takes 0.35 s, and 0.2 s of messages.
TEST(CompareScale, ASampleDividesItsTimeAmongStepsMessagesAndTheRest) {
  Record record = himeno(one, 1000, {2, 1, 1});
  record["phases"]["halo"] = 0.15;
  record["phases"]["reduce"] = 0.05;
  const auto made = run("a.h5", record);
  const Sample sample = samples_of(made).at(0);
  EXPECT_DOUBLE_EQ(sample.all_steps, 1.25);
  EXPECT_DOUBLE_EQ(sample.exposed.value(), 0.2 / 1.45);
  EXPECT_DOUBLE_EQ(sample.per_step(), 0.1 + 0.02);
  EXPECT_DOUBLE_EQ(sample.fraction, 0.5);
  EXPECT_DOUBLE_EQ(sample.pace_fraction(), 0.5 * 1.25 / 1);
  const Seconds twice = sample.at(20);
  EXPECT_DOUBLE_EQ(twice[Part::Pace], 2);
  EXPECT_DOUBLE_EQ(twice[Part::Beyond], 0.25);
  EXPECT_DOUBLE_EQ(twice[Part::Messages], 0.4);
  EXPECT_DOUBLE_EQ(twice[Part::Allocate], 0.25);
  EXPECT_DOUBLE_EQ(sample.bytes, 14. * 4 * 64 * 64 * 128);
}

TEST(CompareScale, ATransposeHasTwoMatricesOfItsType) {
  Record record = transpose(one, "device", "copy", 2000);
  const auto bytes = [&] {
    const auto made = run("a.h5", record);
    return samples_of(made).at(0).bytes;
  };
  EXPECT_EQ(bytes(), 2. * 64 * 64 * 4);
  record["type"] = "double";
  EXPECT_EQ(bytes(), 2. * 64 * 64 * 8);
}

TEST(CompareScale, OfThreeRunsOfAProbeTheMiddleOneStandsAndIsSetAgainstTheBase) {
  const Record answer = Compared({{"a", {membench(one, 40), membench(one, 50), membench(one, 90)}},
                                  {"b", {membench(one, 25)}}})
                            .answer();
  const Record& row = answer.at("probe_pairs").at(0);
  EXPECT_EQ(row.at("values").at("a"), 50.0);
  EXPECT_EQ(row.at("to_base").at("b"), 0.5);
}

TEST(CompareScale, APredictionsErrorIsThatOfTheMeasuredRun) {
  Record rates = membench(one, 50);
  rates["probes"][0]["rows"].push_back({{"bytes", {1e9, 1e9}},
                                        {"memory", {"device", "pinned"}},
                                        {"direction", {"device copy", "DtoH"}},
                                        {"by", {"kernel", "copy engine"}},
                                        {"gbs", {3000., 50.}}});
  rates["probes"].push_back({{"name", "pages"},
                             {"axes", {"memory", "allocation", "pages", "act"}},
                             {"rows",
                              {{{"memory", {"device", "device", "host-pinned", "host-pinned"}},
                                {"allocation", {"default", "default", "registered", "registered"}},
                                {"pages", std::vector<std::string>(4, "default")},
                                {"act", {"allocate", "free", "allocate", "free"}},
                                {"start_us", {10., 20., 30., 40.}},
                                {"ns_per_byte", {0.01, 0.02, 0.03, 0.04}}}}}});
  const Record measured = with_sweep(1000, 0.1);
  Record registered = measured, huge = measured;
  registered["options"]["allocation"] = "registered";
  huge["options"]["pages"] = "huge";
  const Compared a({{"a", {measured, registered, huge, rates}}});
  const Sample sample = a.sides[0].groups[0].middle();
  const model::Prediction of = predict(a.sides[0], model::probed_rates(a.sides[0].runs), sample);
  const double all = of.time().total();
  const Record rows = model_rows(a.sides);
  ASSERT_EQ(rows.size(), 3U);
  for (const std::size_t n : {1U, 2U})
    EXPECT_EQ(rows[n].at("not_predicted"),
              n == 1 ? "runs with --allocation registered" : "runs with --pages huge")
        << "the costs are of memory as it comes by default";
  EXPECT_DOUBLE_EQ(rows[0].at("measured").get<double>(), 1);  // with_sweep() has no other phase
  EXPECT_DOUBLE_EQ(rows[0].at("predicted").get<double>(), all);
  EXPECT_DOUBLE_EQ(rows[0].at("error").get<double>(), all / 1 - 1);
}

}  // namespace
}  // namespace memstencil::compare
