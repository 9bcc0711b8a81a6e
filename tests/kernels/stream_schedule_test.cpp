// Walks through the schedule of streamed sweeps in the orders in which three queues may run it: no
// plane of the ring is overwritten before its last use, and each sweep finds what it needs.
#include "kernels/jacobi/stream_schedule.hpp"

#include <gtest/gtest.h>

#include <array>
#include <deque>
#include <utility>
#include <vector>

namespace memstencil::jacobi {
namespace {

Grid grid_of(std::int64_t planes, std::int64_t halo_below, std::int64_t halo_above) {
  Grid grid{};
  grid.extents[0] = planes;
  grid.interior.lo[0] = halo_below > 0 ? 0 : 1;
  grid.interior.hi[0] = halo_above > 0 ? planes : planes - 1;
  grid.owned.lo[0] = halo_below > 0 ? halo_below : 1;
  grid.owned.hi[0] = planes - (halo_above > 0 ? halo_above : 1);
  return grid;
}

/// What a place holds: which pass brought which plane, and how many of its sweeps are made.
struct Content {
  std::int64_t pass = -1, plane = -1, sweeps = -1;
  bool operator==(const Content&) const = default;
};

class Machine {
public:
  Machine(const Grid& grid, int sweeps, int fused, std::int64_t step)
      : grid_(grid), schedule_(grid, sweeps, fused, step), fused_(fused) {
    const auto places = static_cast<std::size_t>(schedule_.ring_planes());
    coefficients_.resize(places);
    for (auto& p : p_) p.resize(places);
    for (auto& host : host_) host.resize(static_cast<std::size_t>(grid.extents[0]));
  }

  /// Submits a pass; its steps run in turn().
  void submit(int sweeps) {
    const std::vector<int> groups = stream_groups(sweeps, fused_);
    for (const StreamStep& step : schedule_.pass(groups)) {
      std::vector<std::size_t> places;
      for (std::int64_t i = 0; i < grid_.extents[0]; ++i)
        places.push_back(static_cast<std::size_t>(schedule_.place(i)));
      EXPECT_LT(step.after, step.number);
      steps_.push_back({step, groups, places, passes_, sweeps});
    }
    ++passes_;
  }
  /// Runs all that is submitted. Of the queues that can go on the first in `order` does.
  void run(const std::array<int, 3>& order) {
    while (done_[2] < steps_.size()) {
      bool moved = false;
      for (const int queue : order) {
        if (!may_run(queue)) continue;
        const Submitted& next = steps_[done_[static_cast<std::size_t>(queue)]++];
        queue == 0 ? bring(next) : queue == 1 ? sweep(next) : take_back(next);
        moved = true;
        break;
      }
      ASSERT_TRUE(moved) << "every queue waits";
    }
    for (std::int64_t i = grid_.owned.lo[0]; i < grid_.owned.hi[0]; ++i)
      EXPECT_EQ(host(passes_)[static_cast<std::size_t>(i)], passes_) << "plane " << i;
  }
  /// Other ranks' points come, after all that was submitted.
  void exchange() {
    for (auto& each : host_)
      for (std::int64_t i = 0; i < grid_.extents[0]; ++i)
        if (!owned(i)) each[static_cast<std::size_t>(i)] = passes_;
  }

private:
  struct Submitted {
    StreamStep step;
    std::vector<int> groups;
    std::vector<std::size_t> places;
    std::int64_t pass;
    int sweeps;
  };

  bool owned(std::int64_t i) const { return grid_.owned.lo[0] <= i && i < grid_.owned.hi[0]; }
  bool fixed(std::int64_t i) const { return i < grid_.interior.lo[0] || i >= grid_.interior.hi[0]; }
  /// The array that pass `pass` reads: how many passes each plane has behind it.
  std::vector<std::int64_t>& host(std::int64_t pass) {
    return host_[static_cast<std::size_t>(pass % 2)];
  }
  bool may_run(int queue) const {
    const auto q = static_cast<std::size_t>(queue);
    if (done_[q] == steps_.size()) return false;
    if (queue > 0) return done_[q] < done_[q - 1];
    return static_cast<std::int64_t>(done_[2]) >= steps_[done_[q]].step.after;
  }

  void bring(const Submitted& its) {
    for (std::int64_t i = its.step.arrives.from; i < its.step.arrives.to; ++i) {
      if (!fixed(i)) {
        EXPECT_EQ(host(its.pass)[static_cast<std::size_t>(i)], its.pass) << "plane " << i;
      }
      const std::size_t place = its.places[static_cast<std::size_t>(i)];
      coefficients_[place] = {its.pass, i, 0};
      p_[0][place] = {its.pass, i, 0};
      p_[1][place] = {its.pass, i, -1};
    }
  }
  void sweep(const Submitted& its) {
    int made = 0;
    for (std::size_t g = 0; g < its.groups.size(); ++g) {
      const int size = its.groups[g];
      const PlaneSpan planes = its.step.swept[g];
      if (!planes.empty()) {
        const PlaneSpan read =
            PlaneSpan{planes.from - size, planes.to + size}.within(0, grid_.extents[0]);
        for (std::int64_t i = read.from; i < read.to; ++i) {
          const std::size_t place = its.places[static_cast<std::size_t>(i)];
          Content p = p_[g % 2][place];
          if (fixed(i)) p.sweeps = made;
          EXPECT_EQ(p, (Content{its.pass, i, made}));
          EXPECT_EQ(coefficients_[place], (Content{its.pass, i, 0}));
        }
      }
      made += size;
      for (std::int64_t i = planes.from; i < planes.to; ++i)
        p_[(g + 1) % 2][its.places[static_cast<std::size_t>(i)]] = {its.pass, i, made};
      swept_ += planes.count();
    }
  }
  void take_back(const Submitted& its) {
    for (std::int64_t i = its.step.leaves.from; i < its.step.leaves.to; ++i) {
      EXPECT_EQ(p_[its.groups.size() % 2][its.places[static_cast<std::size_t>(i)]],
                (Content{its.pass, i, its.sweeps}));
      host(its.pass + 1)[static_cast<std::size_t>(i)] = its.pass + 1;
    }
  }

  Grid grid_;
  StreamSchedule schedule_;
  int fused_;
  std::deque<Submitted> steps_;
  std::vector<Content> coefficients_;
  std::array<std::vector<Content>, 2> p_;
  std::array<std::vector<std::int64_t>, 2> host_;
  std::array<std::size_t, 3> done_{};
  std::int64_t passes_ = 0;

public:
  std::int64_t swept_ = 0;  ///< planes, by groups
};

constexpr std::array<std::array<int, 3>, 6> orders{
    {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}};

TEST(StreamSchedule, BringsEachSweepWhatItNeedsInEveryOrder) {
  for (std::int64_t planes = 3; planes <= 14; ++planes)
    for (std::int64_t step = 1; step <= 5; ++step)
      for (int sweeps = 2; sweeps <= 9; ++sweeps)
        for (int fused = 1; fused <= 4; ++fused)
          for (const auto& order : orders) {
            Machine machine(grid_of(planes, 0, 0), sweeps, fused, step);
            std::int64_t groups = 0;
            for (const int of_pass : {sweeps, sweeps, sweeps - 1, sweeps, 1}) {
              machine.submit(of_pass);
              groups += static_cast<std::int64_t>(stream_groups(of_pass, fused).size());
            }
            machine.run(order);
            EXPECT_EQ(machine.swept_, groups * (planes - 2));  // each plane once
            ASSERT_FALSE(testing::Test::HasFailure())
                << planes << " planes, steps of " << step << ", " << sweeps << " sweeps, fused "
                << fused << ", order " << order[0] << order[1] << order[2];
          }
}

TEST(StreamSchedule, MakesOtherRanksPointsAsFarAsLaterSweepsNeedThem) {
  for (std::int64_t own = 4; own <= 9; ++own)
    for (std::int64_t step = 1; step <= 4; ++step)
      for (int sweeps = 1; sweeps <= 4; ++sweeps)
        for (const auto& [below, above] : {std::pair{1, 0}, {0, 1}, {1, 1}})
          for (const auto& order : orders) {
            const std::int64_t planes = own + (below ? sweeps : 1) + (above ? sweeps : 1);
            Machine machine(grid_of(planes, below * sweeps, above * sweeps), sweeps, 1, step);
            for (int pass = 0; pass < 3; ++pass) {
              machine.submit(sweeps);
              machine.run(order);
              machine.exchange();
            }
            ASSERT_FALSE(testing::Test::HasFailure())
                << own << " planes of " << planes << ", steps of " << step << ", " << sweeps;
          }
}

TEST(StreamSchedule, ReadsTheNextPlanesWhileAStepIsSwept) {
  StreamSchedule schedule(grid_of(200, 0, 0), 32, 4, 8);
  for (int pass = 0; pass < 2; ++pass)
    for (const StreamStep& step : schedule.pass(stream_groups(32, 4)))
      EXPECT_LE(step.after, std::max<std::int64_t>(step.number - 2, 0));
}

TEST(StreamSchedule, CountsThePointsThatTwoRanksMake) {
  // 9 planes are owned, those below are another rank's: of two sweeps the first makes 10.
  Grid grid{{15, 7, 9}, 32, {{0, 1, 1}, {14, 6, 8}}, {{5, 1, 1}, {14, 6, 8}}};
  EXPECT_DOUBLE_EQ(points_made_twice(grid, 2), 0.5 / 9);
  EXPECT_DOUBLE_EQ(points_made_twice(grid, 3), 1.0 / 9);
  grid.owned = grid.interior;
  EXPECT_DOUBLE_EQ(points_made_twice(grid, 3), 0);
}

TEST(StreamShapes, TakeNoMoreThanThereIs) {
  Grid grid = grid_of(512, 0, 0);
  grid.extents[1] = 512;
  grid.extents[2] = grid.pitch = 1024;
  const double plane = 14.0 * 4 * 512 * 1024;
  const auto shape = stream_shape(grid, 96, 1, 200 * plane);
  ASSERT_TRUE(shape);
  EXPECT_EQ(shape->step, 16);
  EXPECT_EQ(shape->bytes, (96 + 1 + 48) * plane);
  EXPECT_EQ(stream_shape(grid, 96, 1, 130 * plane)->step, 8);
  EXPECT_EQ(stream_shape(grid, 96, 4, 1e12)->step, 64);
  EXPECT_FALSE(stream_shape(grid, 96, 1, 99 * plane));
}

}  // namespace
}  // namespace memstencil::jacobi
