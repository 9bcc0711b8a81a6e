// Pins that ranks transpose together what one would: any shapes, every variant, every element
// verified, by every transport.
#include "app/base/ranks/collectively.hpp"
#include "app/transpose/transposer.hpp"
#include "tests/app/base/refusal.hpp"
#include "tests/app/bench/exchange_by_mpi.hpp"
#include "tests/app/transpose/transpose_cases.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <numeric>
#include <span>
#include <tuple>
#include <vector>

namespace memstencil::transpose {
namespace {

using Case = std::tuple<Executor, ElementType>;

class TransposeRanks : public testing::TestWithParam<Case> {
protected:
  Communicator communicator;

  Options options(std::int64_t rows, std::int64_t columns) const {
    Options out = options_for(std::get<0>(GetParam()));
    out.type = std::get<1>(GetParam());
    out.rows = rows;
    out.columns = columns;
    out.variant.reset();
    return out;
  }

  /// The run verifies every element, and throws where one is wrong.
  void check(const Options& o, const GpuPaths& gpu = {}) {
    const Repeat run = run_once(plan_of(o, communicator), communicator, gpu);
    for (const TimedVariant& each : run.variants) {
      EXPECT_EQ(each.seconds.size(), 2U);
      EXPECT_EQ(each.split.has_value(), communicator.size() > 1);
      // Parts of one rank: what others wait for it counts once.
      double whole = std::accumulate(each.seconds.begin(), each.seconds.end(), 1e-9);
      for (const auto& [part, seconds] : each.split.value_or(Named<double>())) whole -= seconds;
      EXPECT_GE(whole, 0) << each.name;
      if (each.name == name(Variant::Copy)) continue;
      EXPECT_EQ(each.bytes, 2.0 * static_cast<double>(o.rows * o.columns) *
                                static_cast<double>(bytes_of(o.type)));
      if (each.split) {
        EXPECT_GT(each.split->at("exchange"), 0) << each.name;
      }
    }
  }
};

// Lines; rows that follow each other directly, or at a distance that no line or vector divides.
const std::vector<Pitch> pitches{
    {}, {Pitch::Kind::Added, 0}, {Pitch::Kind::Added, 1}, {Pitch::Kind::Fixed, 331}};
// 1x1 leaves ranks without a row; others give blocks of unequal rows, odd and prime extents, and
// ones less than a tile.
const std::vector<Shape> shapes{{1, 1}, {3, 7}, {2, 331}, {127, 64}, {65, 130}, {211, 307}};

TEST_P(TransposeRanks, AreRightForAnyShapeAndPitch) {
  for (const Pitch& pitch : pitches)
    for (const Shape& shape : shapes) {
      Options o = options(shape.rows, shape.columns);
      o.pitch = pitch;
      check(o);
    }
}

TEST_P(TransposeRanks, AreRightByAGpusExchangeAndVerifyItsMessages) {
  if (std::get<0>(GetParam()) == Executor::Device)
    GTEST_SKIP() << "the stand-in reads memory of the host";
  bool spoils = false;
  std::size_t sent = 0;
  // The last byte may belong to the padding of a row.
  const auto exchange = std::make_shared<ExchangeByMpi>([&](std::span<const Message> messages) {
    sent += messages.size();
    for (const Message& each : messages)
      if (spoils && each.receive_bytes > 0) *static_cast<unsigned char*>(each.receive) ^= 1U;
  });
  for (const Shape& shape : {Shape{211, 307}, Shape{8, 1000}, Shape{200, 200}}) {
    Options o = options(shape.rows, shape.columns);
    o.variant = Variant::Portable;
    o.pitch = {Pitch::Kind::Fixed, 1000};
    spoils = false;
    check(o, {exchange, nullptr});
    if (communicator.size() == 1) continue;
    spoils = true;
    refusal(ExitCode::Verification, [&] { check(o, {exchange, nullptr}); });
  }
  EXPECT_EQ(sent > 0, communicator.size() > 1);
}

INSTANTIATE_TEST_SUITE_P(All, TransposeRanks,
                         testing::Combine(testing::ValuesIn(executors()),
                                          testing::ValuesIn(all_element_types)));

class TransposeByTransport : public testing::TestWithParam<std::optional<Transport>> {};

TEST_P(TransposeByTransport, IsRight) {
  const Communicator communicator;
  const Machine machine = this_machine({}, communicator);
  Options options = options_for(gpu_count() > 0 ? Executor::Device : Executor::Host);
  options.rows = 1021;
  options.columns = 2050;
  options.exchange = GetParam();
  try {
    const Plan plan = make_plan(options, machine, communicator);
    const auto gpu = connect("--exchange", plan.transport, communicator);
    run_once(plan, communicator, gpu);  // verifies every element
  } catch (const CollectiveFailure& failure) {
    if (failure.code() != ExitCode::Machine) throw;
    GTEST_SKIP() << failure.what();
  }
}

INSTANTIATE_TEST_SUITE_P(Auto, TransposeByTransport, testing::Values(std::nullopt));
INSTANTIATE_TEST_SUITE_P(All, TransposeByTransport,
                         testing::ValuesIn(std::vector<std::optional<Transport>>(
                             all_transports.begin(), all_transports.end())),
                         [](const auto& each) { return std::string(name(*each.param)); });

}  // namespace
}  // namespace memstencil::transpose
