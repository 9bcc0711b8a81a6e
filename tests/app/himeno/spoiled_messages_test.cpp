// Pins that no run over spoiled messages is verified, and that every sound one is.
#include "app/himeno/result.hpp"
#include "tests/app/base/text_checks.hpp"
#include "tests/app/grid/spoiled_receives.hpp"
#include "tests/app/himeno/himeno_plan.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace memstencil::himeno {
namespace {

using Kind = MessageFault::Kind;
using Decomposition = std::array<int, 3>;

constexpr Triple extents{15, 16, 19};

const std::map<int, std::vector<Decomposition>> decompositions{
    {2, {{2, 1, 1}, {1, 2, 1}, {1, 1, 2}}},
    {3, {{3, 1, 1}, {1, 3, 1}, {1, 1, 3}}},
    {4, {{4, 1, 1}, {1, 4, 1}, {2, 2, 1}, {1, 2, 2}}}};

/// Neighbours on both sides, whose messages have one size: without them none can change places.
const std::map<int, std::vector<Decomposition>> lines{{3, {{1, 3, 1}}},
                                                      {4, {{4, 1, 1}, {1, 4, 1}}}};

std::string text_of(const Options& options, const MessageFault& fault) {
  return fmt::format("kind {} from message {}, rank {}, {} sweeps of temporal:{}, ranks {}, {}",
                     static_cast<int>(fault.kind), fault.first, fault.rank.value_or(-1),
                     options.iterations, options.sweep.sweeps, ranks_text(*options.ranks),
                     coefficients_name(options.seed));
}

std::string run_with(const Options& options, const std::optional<MessageFault>& fault) {
  const Plan plan = plan_of(options);
  const SpoiledMessages spoiling(fault);
  return line_of([&] { run_once(plan, Communicator()); });
}

/// Every T with every decomposition and kind of coefficients, with sweeps that T divides or not,
/// and random coefficients of two seeds.
std::vector<Options> all_options(int ranks) {
  std::vector<Options> out;
  for (const int fused : {1, 2, 3})
    for (const Decomposition& decomposition : decompositions.at(ranks))
      for (const std::optional<std::uint64_t>& seed :
           {std::optional<std::uint64_t>{}, {2}, {3}, {4}})
        for (const int sweeps : {6, 7}) {
          out.push_back(host_options(extents, sweeps, seed, fused));
          out.back().ranks = decomposition;
        }
  return out;
}

/// Faults for options number n: a kind in turn, of five, while eight options have one T and one
/// decomposition, so that each kind meets each of these; and Swapped wherever there is what it
/// needs.
std::vector<MessageFault> faults(const Options& options, int n, int ranks) {
  const int of_pair = n % 8, pair = n / 8;
  constexpr std::array kinds{Kind::Stale, Kind::Late, Kind::OneBit, Kind::Shifted, Kind::Short};
  std::vector<Kind> its{kinds.at(static_cast<std::size_t>(of_pair + pair) % kinds.size())};
  const auto found = lines.find(ranks);
  if (found != lines.end() &&
      std::count(found->second.begin(), found->second.end(), *options.ranks) > 0)
    its.push_back(Kind::Swapped);
  std::vector<MessageFault> out;
  for (const Kind kind : its) {
    MessageFault& fault = out.emplace_back();
    fault.kind = kind;
    // Neither follows coefficients or sweeps, which are the three bits of of_pair. One bit
    // is often in a pad, or rounded off: of the few messages of two ranks all are taken.
    const bool late = (std::popcount(static_cast<unsigned>(of_pair)) + pair) % 2 != 0;
    if (late && kind != Kind::OneBit) fault.first = 8;
    if ((of_pair + pair) % 3 == 0) fault.rank = 1;
  }
  return out;
}

TEST(HimenoOverSpoiledMessages, AreNeverVerifiedAndSoundOnesAlwaysAre) {
  const Communicator communicator;
  const int size = communicator.size();
  const std::vector<Options> all = all_options(size);
  EXPECT_GE(all.size(), 72U);
  for (int n = 0; n < static_cast<int>(all.size()); ++n) {
    const Options& options = all[static_cast<std::size_t>(n)];
    // A sound run measures its limit, too: one in seven takes turns through all options.
    if (n % 7 == 0) {
      EXPECT_EQ(run_with(options, {}), "") << text_of(options, {});
    }
    for (const MessageFault& fault : faults(options, n, size)) {
      const std::string line = run_with(options, fault);
      EXPECT_GT(communicator.sum(changed_messages()), 0.0)
          << "no fault: " << text_of(options, fault);
      EXPECT_TRUE(contains(line, "verification failed: ")) << text_of(options, fault);
    }
  }
}

/// Over messages that come late every run is verified: no pass starts before its own have come.
void expect_verified_over_held_messages(Options options, const Machine& machine) {
  const Communicator communicator;
  const SpoiledMessages holding(MessageFault{.kind = Kind::Held});
  for (const int fused : {1, 2, 3, 4})
    for (const Decomposition& ranks : decompositions.at(communicator.size())) {
      options.sweep = sweep_of(fused);
      options.ranks = ranks;
      EXPECT_NO_THROW(run_once(make_plan(options, machine, communicator), communicator))
          << "temporal:" << fused << ", ranks " << ranks_text(ranks);
    }
}

TEST(HimenoOverLateMessages, IsVerifiedOnAHost) {
  expect_verified_over_held_messages(host_options({18, 19, 20}, 9, 2), {});
}

TEST(HimenoOverLateMessages, IsVerifiedOnAGpu) {
  const Communicator communicator;
  const Machine machine = this_machine({}, communicator);
  if (machine.gpu < 0) GTEST_SKIP() << "no GPU";
  Options options;
  options.extents = {130, 258, 130};
  options.iterations = 13;
  options.seed = 2;
  options.halo = Transport::Staged;
  expect_verified_over_held_messages(options, machine);
}

/// Messages that a rank receives until the sweeps end: one exchange connects.
int of_timed_part(const Plan& plan) {
  int neighbours = 0;
  for (int d = 0; d < 3; ++d)
    for (const int side : {-1, 1}) neighbours += plan.subdomain.neighbour(d, side) ? 1 : 0;
  const std::int64_t fused = plan.sweep.kind.sweeps, sweeps = plan.options.iterations;
  return neighbours * static_cast<int>(1 + sweeps / fused + sweeps % fused);
}

TEST(HimenoOverSpoiledMessages, AreFoundWhereTheyEndWithTheTimedPart) {
  const Communicator communicator;
  for (const int fused : {1, 2, 3})
    for (const Kind kind : {Kind::Stale, Kind::Late, Kind::Shifted, Kind::Short})
      for (const Decomposition& ranks : decompositions.at(communicator.size())) {
        Options options = host_options(extents, 7, 1, fused);
        options.ranks = ranks;
        const int last = of_timed_part(plan_of(options));
        const std::string line =
            run_with(options, MessageFault{.kind = kind, .first = 3, .last = last, .rank = 1});
        EXPECT_TRUE(contains(line, "verification failed: after sweep 7 rank 1 has a wrong halo "))
            << static_cast<int>(kind) << ", temporal:" << fused << ", " << ranks_text(ranks) << ": "
            << line;
      }
}

/// The kinds that a trial over such messages has timed, or its error.
std::string tried_with(const Options& options, const std::optional<MessageFault>& fault) {
  const Plan plan = plan_of(options);
  const SpoiledMessages spoiling(fault);
  std::string rows;
  const std::string line = line_of([&] {
    for (const TrialRow& row : try_sweeps(plan, {}, Communicator()))
      if (row.sweep_seconds) rows += row.sweep + ' ';
  });
  return line.empty() ? rows : line;
}

TEST(HimenoOverSpoiledMessages, ATrialNamesAKindThatFailsAndOverSoundOnesNoneDoes) {
  const Communicator communicator;
  Options options = host_options(extents, 7);
  options.sweep = {.name = "auto"};
  constexpr std::array kinds{Kind::Stale, Kind::OneBit, Kind::Shifted};
  for (std::size_t n = 0; const Decomposition& ranks : decompositions.at(communicator.size())) {
    options.ranks = ranks;
    const Kind kind = kinds.at(n++ % kinds.size());  // a trial takes its time
    const std::string line = tried_with(options, MessageFault{.kind = kind});
    EXPECT_TRUE(contains(line, "--sweep auto tried single:rows: verification failed: ")) << line;
  }
  const std::string sound = tried_with(options, {});
  EXPECT_TRUE(contains(sound, "single ")) << sound;
  EXPECT_TRUE(contains(sound, "temporal:2 ")) << sound;
}

}  // namespace
}  // namespace memstencil::himeno
