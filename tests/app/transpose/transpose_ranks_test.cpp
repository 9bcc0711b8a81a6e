// Pins that ranks transpose together what one would: any shapes, every variant, every element
// verified; in one step and in many, by MPI and by what a GPU's exchange does.
#include "app/base/ranks/collectively.hpp"
#include "app/transpose/transposer.hpp"
#include "tests/app/transpose/transpose_cases.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <numeric>
#include <random>
#include <tuple>
#include <vector>

namespace memstencil::transpose {
namespace {

/// A GPU's exchange that a host has not. Sends what stands in the buffers when messages start, and
/// lets it arrive at the next look(). Until then it spoils what they fill, and then what was sent:
/// who reads too soon, or packs too late, finds no numbers.
class LateExchange final : public GpuExchange {
public:
  explicit LateExchange(const Communicator& communicator) : communicator_(communicator) {}

  void exchange(std::span<const Message> messages, void*) override {
    look();
    for (const Message& message : messages) {
      arrived_.emplace_back(message.receive_bytes);
      std::memset(message.receive, 0xFF, message.receive_bytes);
    }
    under_way_.assign(messages.begin(), messages.end());
    std::vector<Message> aside = under_way_;
    for (std::size_t n = 0; n < aside.size(); ++n) aside[n].receive = arrived_[n].data();
    communicator_.exchange(aside);
    count_ += messages.size();
  }

  void look() override {
    for (std::size_t n = 0; n < under_way_.size(); ++n) {
      const Message& message = under_way_[n];
      // Empty messages may have no address, which memcpy and memset do not take.
      if (message.receive_bytes > 0)
        std::memcpy(message.receive, arrived_[n].data(), message.receive_bytes);
      if (message.send_bytes > 0)
        std::memset(const_cast<void*>(message.send), 0xFF, message.send_bytes);
    }
    under_way_.clear();
    arrived_.clear();
  }

  std::shared_ptr<void> enroll(const Buffer&) override { return nullptr; }

  std::size_t messages() const { return count_; }
  bool all_arrived() const { return under_way_.empty(); }

private:
  const Communicator& communicator_;
  std::vector<Message> under_way_;
  std::vector<std::vector<char>> arrived_;
  std::size_t count_ = 0;
};

using Case = std::tuple<Executor, ElementType>;

class TransposeRanks : public testing::TestWithParam<Case> {
protected:
  Communicator communicator;

  Options options(std::int64_t rows, std::int64_t columns) const {
    Options out = options_for(std::get<0>(GetParam()));
    out.type = std::get<1>(GetParam());
    out.rows = rows;
    out.columns = columns;
    out.every_variant = true;
    return out;
  }

  /// The run verifies every element, and throws where one is wrong.
  void check(const Options& o, std::int64_t cut_unit = 0, GpuExchange* gpu = nullptr) {
    Plan plan = plan_of(o, communicator);
    plan.cut_unit = cut_unit;
    const Repeat run = run_once(plan, communicator, gpu);
    for (const TimedVariant& each : run.variants) {
      EXPECT_EQ(each.seconds.size(), 2U);
      EXPECT_EQ(each.split.has_value(), communicator.size() > 1);
      const Split split = each.split.value_or(Split());
      // Parts of one rank: what others wait for it counts once.
      const double whole = std::accumulate(each.seconds.begin(), each.seconds.end(), 1e-9);
      EXPECT_LE(split.pack + split.exchange + split.transpose, whole) << each.name;
      if (each.name == name(Variant::Copy)) continue;
      EXPECT_EQ(each.bytes, 2.0 * static_cast<double>(o.rows * o.columns) *
                                static_cast<double>(bytes_of(o.type)));
      EXPECT_EQ(split.exchange > 0, communicator.size() > 1) << each.name;
    }
  }
};

// 1x1 leaves ranks without a row; 127x64 and 65x130 give blocks of unequal rows.
const std::vector<Shape> shapes{{1, 1}, {3, 2}, {2, 9}, {127, 64}, {65, 130}};

TEST_P(TransposeRanks, AreRightForAnyShape) {
  for (const Shape& shape : shapes) check(options(shape.rows, shape.columns));
}

/// Extents that are prime, random, or fewer than ranks; with some 2 to 30 steps.
TEST_P(TransposeRanks, AreRightInStepsThatOverlap) {
  std::mt19937 random(7);
  std::uniform_int_distribution<std::int64_t> extent(1, 400);
  std::vector<Shape> all{{2, 997}, {997, 2}, {211, 307}, {1, 64}};
  for (int n = 0; n < 4; ++n) all.push_back({extent(random), extent(random)});
  for (const Shape& shape : all) {
    Options o = options(shape.rows, shape.columns);
    o.every_variant = false;
    check(o, 64);
  }
}

/// Rows that follow each other directly, or at a distance that no line or vector divides; extents
/// that are odd, prime, or less than a tile.
TEST_P(TransposeRanks, AreRightForAnyPitch) {
  for (const Pitch& pitch : {Pitch{Pitch::Kind::Added, 0}, Pitch{Pitch::Kind::Added, 1},
                             Pitch{Pitch::Kind::Fixed, 331}}) {
    for (const Shape& shape : {Shape{1, 1}, {3, 7}, {127, 64}, {211, 307}, {2, 331}}) {
      Options o = options(shape.rows, shape.columns);
      o.pitch = pitch;
      check(o);
      o.every_variant = false;
      check(o, 64);
    }
  }
}

/// Messages that arrive no sooner than they are waited for, and leave as soon as they may.
TEST_P(TransposeRanks, AreRightByAGpusExchange) {
  if (std::get<0>(GetParam()) == Executor::Device)
    GTEST_SKIP() << "the stand-in reads memory of the host";
  LateExchange late(communicator);
  for (const Shape& shape : {Shape{211, 307}, Shape{2, 997}, Shape{200, 200}}) {
    Options o = options(shape.rows, shape.columns);
    o.every_variant = false;
    check(o, 0, &late);
    check(o, 64, &late);
  }
  EXPECT_EQ(late.messages() > 0, communicator.size() > 1);
  EXPECT_TRUE(late.all_arrived());
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
    Plan plan = make_plan(options, machine, communicator);
    plan.cut_unit = 1 << 14;
    const auto gpu = connect("--exchange", plan.transport, communicator);
    run_once(plan, communicator, gpu.get());  // verifies every element
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
