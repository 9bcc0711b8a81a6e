// Pins what prediction against measurement says, and how a run is read from its record.
#include "app/model/validation.hpp"

#include "app/common/failure.hpp"

#include <gtest/gtest.h>

namespace memstencil::model {
namespace {

Record himeno_record() {
  return {{"program", "himeno"},
          {"extents", {130, 66, 66}},
          {"ranks", {2, 1, 1}},
          {"iterations", 4},
          {"rehearsal", 0},
          {"exec", "device"},
          {"memspace", {{"requested", "host-pinned"}, {"effective", "host-pinned"}}},
          {"execution", {{"host_threads", 8}}},
          {"first_touch", "host"},
          {"sweep", "temporal:4"},
          {"sweep_kernel", "streamed, slabs of 12 planes"},
          {"halo", "staged"},
          {"options", {{"prefetch", false}}},
          {"phases",
           {{"allocate", 1.0},
            {"initialise", 1.0},
            {"upload", 0.0},
            {"sweeps", 2.0},
            {"halo", 5.0},
            {"reduce", 0.0},
            {"download", 0.0},
            {"free", 0.0}}},
          {"sweep_seconds", {{"first", 1.0}, {"median", 0.5}}}};
}

Prediction three_seconds() {
  Prediction prediction;
  for (const char* phase :
       {"allocate", "initialise", "upload", "sweeps", "halo", "reduce", "download", "free"})
    prediction.phases.push_back({phase, {}});
  prediction.phases[0].split = Split(Cause::Allocation, 1.0);
  prediction.phases[3].split = Split(Cause::Link, 2.0);
  for (const double seconds : {0.8, 0.6, 0.6}) prediction.sweeps.add(Split(Cause::Link, seconds));
  return prediction;
}

TEST(Validation, ReadsTheCaseFromARecord) {
  const HimenoCase run = himeno_case(himeno_record());
  EXPECT_EQ(run.extents, (std::array<std::int64_t, 3>{66, 66, 66}));
  EXPECT_EQ(run.points, 64.0 * 64 * 64);
  EXPECT_EQ(run.fused, 4);
  EXPECT_EQ(run.slab_planes, 12);
  EXPECT_EQ(run.host_threads, 8);
  EXPECT_EQ(run.p, MemorySpace::HostPinned);
  EXPECT_EQ(run.access.executor, Executor::Device);
  EXPECT_EQ(run.access.first_touch, Executor::Host);
}

TEST(Validation, ReadsAPlacementByGroups) {
  Record record = himeno_record();
  record["memspace"]["effective"] = "p=device,coefficients=managed";
  record["memspace"]["place"] = {{"p", "device"}, {"coefficients", "managed"}};
  const HimenoCase run = himeno_case(record);
  EXPECT_EQ(run.p, MemorySpace::Device);
  EXPECT_EQ(run.coefficients, MemorySpace::Managed);
}

Record transpose_record() {
  const auto variant = [](const char* name, double seconds) {
    return Record{{"name", name},
                  {"bytes", 800.0},
                  {"seconds", {2 * seconds, seconds, seconds}},
                  {"iteration_seconds", {{"median", seconds}}}};
  };
  Record record{{"program", "transpose"},
                {"rows", 5},
                {"columns", 20},
                {"pitch_a", 32},
                {"pitch_b", 32},
                {"type", "double"},
                {"operation", "plain"},
                {"iterations", 3},
                {"ranks", 1},
                {"exec", "device"},
                {"first_touch", "device"},
                {"memspace", {{"requested", "device"}, {"effective", "device"}}},
                {"execution", {{"host_threads", 8}}},
                {"options", {{"prefetch", false}}},
                {"phases", {{"transpose", 4.0}}},
                {"variants", Record::array({variant("tuned", 1.0), variant("copy", 0.5)})}};
  return record;
}

TEST(Validation, ReadsATransposeAndLeavesItsYardstickOut) {
  Record record = transpose_record();
  const TransposeCase run = transpose_case(record);
  EXPECT_EQ(run.a_bytes, 5.0 * 32 * 8);
  EXPECT_EQ(run.b_bytes, 20.0 * 32 * 8);
  EXPECT_EQ(run.element_bytes, 8.0);
  ASSERT_EQ(run.variants.size(), 1U);
  EXPECT_EQ(run.variants[0].name, "tuned");
  EXPECT_EQ(run.variants[0].link_bytes, 800.0);
  record["variants"][0]["link"] = {{"sector_bytes", 3600.0}};
  record["operation"] = "in-place";
  EXPECT_EQ(transpose_case(record).variants[0].link_bytes, 3600.0);
  EXPECT_EQ(transpose_case(record).b_bytes, 0.0);
  record["sizes"] = 1;
  EXPECT_THROW(transpose_case(record), Failure);
}

TEST(Validation, TheMedianIsThatOfTheFirstVariantOnBothSides) {
  Prediction prediction;
  prediction.phases = {{"transpose", Split(Cause::Link, 4.0)}};
  for (const double seconds : {2.0, 1.5, 1.5, 9.0, 9.0, 9.0})
    prediction.sweeps.add(Split(Cause::Link, seconds));
  const Record v = validate(prediction, measured_transpose(transpose_record()));
  EXPECT_EQ(v["median_step"]["predicted"], 1.5);
  EXPECT_EQ(v["median_step"]["measured"], 1.0);
  EXPECT_EQ(v["first_step"]["error"], 0.0);
}

TEST(Validation, RefusesWhatIsNoHimenoRun) {
  EXPECT_THROW(himeno_case({{"program", "membench"}}), Failure);
  EXPECT_THROW(himeno_case({{"program", "himeno"}, {"tune", 1}}), Failure);
}

TEST(Validation, GivesTheErrorOfEachPhaseAndOfTheTotalWithoutTheHaloOfRanks) {
  const Record v = validate(three_seconds(), measured_himeno(himeno_record()));
  EXPECT_EQ(v["phases"].size(), 7U);
  EXPECT_EQ(v["total"]["measured"], 4.0);
  EXPECT_NEAR(v["total"]["error"].get<double>(), -0.25, 1e-12);
  EXPECT_EQ(v["phases"][0]["error"], 0.0);
  EXPECT_TRUE(v["phases"][2]["error"].is_null());
  EXPECT_NEAR(v["first_step"]["error"].get<double>(), -0.2, 1e-12);
  EXPECT_NEAR(v["median_step"]["error"].get<double>(), 0.2, 1e-12);
}

TEST(Validation, GoesByTheRanksWhereARecordDoesNotNameItsHalo) {
  Record record = himeno_record();
  record.erase("halo");
  EXPECT_EQ(validate(three_seconds(), measured_himeno(record))["phases"].size(), 7U);
  record["ranks"] = {1, 1, 1};
  EXPECT_EQ(validate(three_seconds(), measured_himeno(record))["phases"].size(), 8U);
}

TEST(Validation, CountsTheHaloOfOneRank) {
  Record alone = himeno_record();
  alone["ranks"] = {1, 1, 1};
  alone["halo"] = "none";
  EXPECT_EQ(validate(three_seconds(), measured_himeno(alone))["total"]["measured"], 9.0);
}

TEST(Validation, AsTextNamesPhasesErrorsAndCauses) {
  const std::string text = validation_text(validate(three_seconds(), measured_himeno(himeno_record())));
  EXPECT_NE(text.find("-25.0%"), std::string::npos) << text;
  EXPECT_NE(text.find("by cause: link 2.000 s, allocation 1.000 s"), std::string::npos) << text;
}

}  // namespace
}  // namespace memstencil::model
