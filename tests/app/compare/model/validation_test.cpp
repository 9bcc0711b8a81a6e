// Pins what prediction against measurement says, and how a result becomes a case.
#include "app/compare/model/validation.hpp"

#include "app/compare/himeno_case.hpp"
#include "app/compare/transpose_case.hpp"
#include "tests/app/base/refusal.hpp"
#include "tests/app/base/text_checks.hpp"

#include <gtest/gtest.h>

namespace memstencil::model {
namespace {

himeno::Result himeno_result() {
  himeno::Result r;
  r.extents = {130, 66, 66};
  r.ranks = {2, 1, 1};
  r.iterations = 4;
  r.exec = "device";
  r.memspace.requested = r.memspace.effective = "host-pinned";
  r.execution.host_threads = 8;
  r.first_touch = "host";
  r.sweep = "temporal:4";
  r.sweep_kernel = "streamed, slabs of 12 planes";
  r.halo = "staged";
  r.phases = {{"allocate", 1.0}, {"initialise", 1.0}, {"upload", 0.0},   {"sweeps", 2.0},
              {"halo", 5.0},     {"reduce", 0.0},     {"download", 0.0}, {"free", 0.0}};
  r.sweep_seconds.first = 1.0;
  r.sweep_seconds.spread.median = 0.5;
  return r;
}

Prediction three_seconds() {
  Prediction prediction;
  for (const char* phase :
       {"allocate", "initialise", "upload", "sweeps", "halo", "reduce", "download", "free"})
    prediction.phases.push_back({phase, {}});
  prediction.phases[0].time = TimeByCause(Cause::Allocation, 1.0);
  prediction.phases[3].time = TimeByCause(Cause::Link, 2.0);
  for (const double seconds : {0.8, 0.6, 0.6})
    prediction.sweeps.add(TimeByCause(Cause::Link, seconds));
  return prediction;
}

TEST(Validation, TakesTheCaseFromAResult) {
  const HimenoCase run = model_case(himeno_result());
  EXPECT_EQ(run.extents, (std::array<std::int64_t, 3>{66, 66, 66}));
  EXPECT_EQ(run.points, 64.0 * 64 * 64);
  EXPECT_EQ(run.fused, 4);
  EXPECT_EQ(run.slab_planes, 12);
  EXPECT_EQ(run.host_threads, 8);
  EXPECT_EQ(run.p, MemorySpace::HostPinned);
  EXPECT_EQ(run.access.executor, Executor::Device);
  EXPECT_EQ(run.access.first_touch, Executor::Host);
}

TEST(Validation, TakesTheRanksOfARunOnGpus) {
  himeno::Result result = himeno_result();
  result.ranks = {2, 2, 1};
  result.provenance.emplace().hosts = {"a", "b"};
  const HimenoCase run = model_case(result);
  ASSERT_TRUE(run.ranks);
  EXPECT_EQ(run.ranks->whole, result.extents);
  EXPECT_EQ(run.ranks->ranks, result.ranks);
  EXPECT_EQ(run.ranks->ranks_of_node, 2);
  EXPECT_EQ(run.ranks->path, "staged");
  result.exec = "host";
  EXPECT_FALSE(model_case(result).ranks);
  result.exec = "device";
  result.ranks = {1, 1, 1};
  EXPECT_FALSE(model_case(result).ranks);
}

transpose::Result transpose_result() {
  transpose::Result r;
  for (const auto& [name, seconds] : {std::pair("tuned", 1.0), std::pair("copy", 0.5)}) {
    auto& variant = r.variants.emplace_back();
    variant.name = name;
    variant.bytes = 800.0;
    variant.seconds = {2 * seconds, seconds, seconds};
    variant.iteration_seconds = {.minimum = seconds, .median = seconds, .maximum = 2 * seconds};
  }
  r.rows = 5;
  r.columns = 20;
  r.pitch_a = r.pitch_b = 32;
  r.type = "double";
  r.operation = "plain";
  r.iterations = 3;
  r.exec = r.first_touch = "device";
  r.memspace.requested = r.memspace.effective = "device";
  r.phases = {{"transpose", 4.0}};
  return r;
}

TEST(Validation, TakesATransposeAndLeavesItsYardstickOut) {
  transpose::Result result = transpose_result();
  const TransposeCase run = model_case(result);
  EXPECT_EQ(run.a_bytes, 5.0 * 32 * 8);
  EXPECT_EQ(run.b_bytes, 20.0 * 32 * 8);
  EXPECT_EQ(run.element_bytes, 8.0);
  ASSERT_EQ(run.variants.size(), 1U);
  EXPECT_EQ(run.variants[0].name, "tuned");
  EXPECT_EQ(run.variants[0].link_bytes, 800.0);
  result.operation = "in-place";
  EXPECT_EQ(model_case(result).b_bytes, 0.0);
}

TEST(Validation, CountsASectorForEachElementThatTheNaiveTransposeWrites) {
  transpose::Result result = transpose_result();
  result.variants[0].name = "naive";
  EXPECT_EQ(model_case(result).variants[0].link_bytes, 400.0 + 4 * 400.0);
  EXPECT_EQ(model_case(result).variants[0].memory_bytes, 800.0);
  result.type = "float";
  EXPECT_EQ(model_case(result).variants[0].link_bytes, 400.0 + 8 * 400.0);
}

TEST(Validation, TakesTheMessagesOfATransposeBetweenGpus) {
  transpose::Result result = transpose_result();
  result.ranks = 2;
  result.messages = "peer";
  TransposeCase run = model_case(result);
  EXPECT_EQ(run.a_bytes, 3.0 * 32 * 8);
  EXPECT_EQ(run.b_bytes, 10.0 * 32 * 8);
  EXPECT_EQ(run.variants[0].memory_bytes, 400.0);
  ASSERT_TRUE(run.messages);
  EXPECT_EQ(run.messages->bytes, 3.0 * 20 * 8 / 2);
  EXPECT_EQ(run.messages->bytes_elsewhere, 0.0);
  EXPECT_EQ(run.messages->path, "peer");
  EXPECT_TRUE(run.messages->stores);
  result.variants[0].split = {.pack = 1, .exchange = 1, .transpose = 1};  // as in place
  result.provenance.emplace().hosts = {"a", "b"};
  run = model_case(result);
  EXPECT_FALSE(run.messages->stores);
  EXPECT_EQ(run.messages->bytes_elsewhere, run.messages->bytes);
  result.exec = "host";
  EXPECT_FALSE(model_case(result).messages);
  EXPECT_EQ(measured(result).left_out, (std::vector<std::string>{"pack", "exchange"}));
}

TEST(Validation, RefusesATransposeThatIsNoCaseOfTheModel) {
  transpose::Result result = transpose_result();
  result.sizes.emplace();
  EXPECT_THROW(model_case(result), Failure);
  result = transpose_result();
  result.pitch_a.reset();
  EXPECT_EQ(refusal(ExitCode::Other, [&] { model_case(result); }), "'pitch_a' is missing");
}

TEST(Validation, TheMedianIsThatOfTheFirstVariantOnBothSides) {
  Prediction prediction;
  prediction.phases = {{"transpose", TimeByCause(Cause::Link, 4.0)}};
  for (const double seconds : {2.0, 1.5, 1.5, 9.0, 9.0, 9.0})
    prediction.sweeps.add(TimeByCause(Cause::Link, seconds));
  const Validation v = validate(prediction, measured(transpose_result()));
  EXPECT_EQ(v.median_step.predicted, 1.5);
  EXPECT_EQ(v.median_step.measured, 1.0);
  EXPECT_EQ(v.first_step.error, 0.0);
}

TEST(Validation, RefusesSweepsThatNoRunHas) {
  for (const char* sweep : {"temporal:65", "temporal:4294967296", "temporal:2147483649"}) {
    himeno::Result result = himeno_result();
    result.sweep = sweep;
    EXPECT_TRUE(contains(refusal(ExitCode::Other, [&] { model_case(result); }), sweep));
  }
  for (const std::int64_t rehearsal : {std::int64_t{-1}, std::int64_t{1} << 62}) {
    himeno::Result result = himeno_result();
    result.rehearsal = rehearsal;
    EXPECT_TRUE(contains(refusal(ExitCode::Other, [&] { model_case(result); }), "rehearsal"));
  }
}

TEST(Validation, RefusesMemorySweepsAndPhasesThatAreNone) {
  himeno::Result result = himeno_result();
  result.memspace.effective = "moon";
  EXPECT_TRUE(contains(refusal(ExitCode::Other, [&] { model_case(result); }), "moon"));
  result = himeno_result();
  result.sweep = "temporal:many";
  EXPECT_EQ(refusal(ExitCode::Other, [&] { model_case(result); }),
            "'temporal:many' has no number after 'temporal:'");
  result = himeno_result();
  result.phases.pop_back();
  EXPECT_EQ(refusal(ExitCode::Other, [&] { validate(three_seconds(), measured(result)); }),
            "'phases.free' is missing");
}

TEST(Validation, GivesTheErrorOfEachPhaseAndOfTheTotalWithoutTheHaloOfRanksOnAHost) {
  himeno::Result result = himeno_result();
  result.exec = "host";
  const Validation v = validate(three_seconds(), measured(result));
  EXPECT_EQ(v.phases.size(), 7U);
  EXPECT_EQ(v.total.measured, 4.0);
  EXPECT_NEAR(*v.total.error, -0.25, 1e-12);
  EXPECT_EQ(v.phases[0].seconds.error, 0.0);
  EXPECT_FALSE(v.phases[2].seconds.error);
  EXPECT_NEAR(*v.first_step.error, -0.2, 1e-12);
  EXPECT_NEAR(*v.median_step.error, 0.2, 1e-12);
}

TEST(Validation, CountsTheHaloOfGpusAndOfOneRank) {
  himeno::Result alone = himeno_result();
  alone.ranks = {1, 1, 1};
  for (const himeno::Result& result : {himeno_result(), alone}) {
    const Validation v = validate(three_seconds(), measured(result));
    EXPECT_EQ(v.phases.size(), 8U);
    EXPECT_EQ(v.total.measured, 9.0);
  }
}

}  // namespace
}  // namespace memstencil::model
