// Pins that no run over spoiled messages is verified, and that every sound one is.
#include "app/common/ranks/collectively.hpp"
#include "app/himeno/run.hpp"
#include "tests/app/common/text_checks.hpp"
#include "tests/app/himeno/himeno_plan.hpp"
#include "tests/app/himeno/message_faults.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace memstencil::himeno {
namespace {

using Kind = MessageFault::Kind;
using Division = std::array<int, 3>;

constexpr Triple extents{19, 23, 37};

const std::map<int, std::vector<Division>> divisions{{2, {{2, 1, 1}, {1, 2, 1}, {1, 1, 2}}},
                                                     {3, {{3, 1, 1}, {1, 3, 1}, {1, 1, 3}}},
                                                     {4, {{4, 1, 1}, {2, 2, 1}, {1, 2, 2}}}};

/// Neighbours on both sides, whose messages have one size: without them none can change places.
const std::map<int, std::vector<Division>> lines{{3, {{1, 3, 1}}}, {4, {{4, 1, 1}, {1, 4, 1}}}};

std::string text_of(const Options& options) {
  return fmt::format("{} sweeps of temporal:{}, ranks {}, {}, {}", options.iterations,
                     options.sweep.sweeps, ranks_text(*options.ranks),
                     coefficients_name(options.seed), name(*options.layout));
}

struct Case {
  Options options;
  MessageFault fault;

  std::string text() const {
    return fmt::format(
        "kind {} from message {}, rank {}, {} sweeps of temporal:{}, ranks {}, "
        "seed {}, {}",
        static_cast<int>(fault.kind), fault.first, fault.rank.value_or(-1), options.iterations,
        options.sweep.sweeps, ranks_text(*options.ranks), options.seed.value_or(0),
        name(*options.layout));
  }
};

/// The line that the run ends with; empty where it is verified.
std::string run_with(const Options& options, const std::optional<MessageFault>& fault) {
  const Communicator communicator;
  const Plan plan = plan_of(options);
  std::string line;
  spoil_messages(fault);
  try {
    run_once(plan, communicator);
  } catch (const CollectiveFailure& failure) {
    EXPECT_EQ(failure.code(), ExitCode::Verification) << failure.what();
    line = failure.what();
  }
  return line;
}

std::vector<Case> cases(int ranks) {
  std::vector<Case> out;
  for (const Kind kind :
       {Kind::Stale, Kind::Late, Kind::Swapped, Kind::OneBit, Kind::Shifted, Kind::Short})
    for (const int first : {1, 8})
      for (const int fused : {1, 2, 3})
        for (const bool random : {false, true}) {
          const std::size_t n = out.size();
          const auto& possible = kind == Kind::Swapped ? lines : divisions;
          if (!possible.contains(ranks)) continue;
          // All of them in turns: sweeps that T divides or not, layouts, divisions, one bad rank.
          Options options = host_options(extents, 6 + static_cast<int>(n / 2 % 2), {}, fused);
          if (random) options.seed = 1 + n % 3;
          options.layout = n / 3 % 2 == 0 ? jacobi::Layout::Arrays : jacobi::Layout::Packed;
          options.ranks = possible.at(ranks)[n / 2 % possible.at(ranks).size()];
          MessageFault fault{.kind = kind, .first = first};
          if (n % 3 == 0) fault.rank = 1;
          out.push_back({options, fault});
        }
  return out;
}

TEST(SpoiledMessages, AreNeverVerifiedAndSoundOnesAlwaysAre) {
  const Communicator communicator;
  const std::vector<Case> all = cases(communicator.size());
  EXPECT_GE(all.size(), 60U);
  std::set<std::string> sound;
  for (const Case& each : all) {
    if (sound.insert(text_of(each.options)).second) {
      EXPECT_EQ(run_with(each.options, {}), "") << each.text();
      EXPECT_EQ(messages_changed(), 0);
    }
    const std::string line = run_with(each.options, each.fault);
    EXPECT_GT(communicator.sum(messages_changed()), 0.0) << "no fault: " << each.text();
    EXPECT_TRUE(contains(line, "verification failed: ")) << each.text();
  }
  spoil_messages({});
}

/// Messages that a rank receives until the sweeps end: one exchange connects.
int of_timed_part(const Plan& plan) {
  int neighbours = 0;
  for (int d = 0; d < 3; ++d)
    for (const int side : {-1, 1}) neighbours += plan.part.neighbour(d, side) ? 1 : 0;
  const std::int64_t fused = plan.sweep.sweeps, sweeps = plan.options.iterations;
  return neighbours * static_cast<int>(1 + sweeps / fused + sweeps % fused);
}

TEST(SpoiledMessages, AreFoundWhereTheyEndWithTheTimedPart) {
  const Communicator communicator;
  for (const int fused : {1, 2, 3})
    for (const Kind kind : {Kind::Stale, Kind::Late, Kind::Shifted, Kind::Short})
      for (const Division& ranks : divisions.at(communicator.size())) {
        Options options = host_options(extents, 7, 1, fused);
        options.ranks = ranks;
        const int last = of_timed_part(plan_of(options));
        const std::string line =
            run_with(options, MessageFault{.kind = kind, .first = 3, .last = last, .rank = 1});
        EXPECT_TRUE(contains(line, "verification failed: after sweep 7 rank 1 has a wrong halo "))
            << static_cast<int>(kind) << ", temporal:" << fused << ", " << ranks_text(ranks) << ": "
            << line;
      }
  spoil_messages({});
}

}  // namespace
}  // namespace memstencil::himeno
