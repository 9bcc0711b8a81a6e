// Searches every order in which the fused sweep's warps and the copy engine can act: nobody waits
// for ever, and nobody reads what is not there or is being overwritten.
#include "kernels/jacobi/temporal_cuda_rounds.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <unordered_set>
#include <vector>

namespace memstencil::jacobi {
namespace {

constexpr int none = -9;  ///< no plane yet, or one that is arriving

/// The agreement as numbers, so that a test can spoil it.
struct Agreement {
  int sweeps, slots, places, results;
  int barriers;  ///< of each kind
  int first_rounds;
  int (*after)(int round);
};

template <int Sweeps>
Agreement real() {
  using Real = Rounds<Sweeps>;
  return {Sweeps,       Real::slots,        Real::places, Sweeps == 2 ? Real::places : 1,
          Real::places, Real::first_rounds, Real::after};
}

enum class Act { Wait, ReadP, ReadSlot, Write, Meet, ReadResult, Release, Expect, CopySlot, CopyP };
struct Step {
  Act act;
  int round;  ///< or plane, or release
  int more;   ///< stage; handshake
};

/// What a working warp does, as temporal_cuda_kernel.cuh has it.
std::vector<Step> worker(const Agreement& a, int steps) {
  std::vector<Step> out{
      {Act::Wait, 0, 0}, {Act::ReadP, -2, 0}, {Act::ReadP, -1, 0}, {Act::Release, 0, 0}};
  for (int n = 0; n < steps; ++n) {
    out.push_back({Act::Wait, n, 0});
    out.push_back({Act::ReadP, n, 0});
    for (int s = 0; s < a.sweeps; ++s) {
      if (s < a.sweeps - 1 && n >= s) out.push_back({Act::ReadSlot, n - s, 0});
      if (s == a.sweeps - 1) break;
      out.push_back({Act::Write, n, s});
      out.push_back({Act::Meet, 0, 0});
      out.push_back({Act::ReadResult, n, s});
    }
    if (n >= a.sweeps - 2) out.push_back({Act::ReadSlot, n - a.sweeps + 2, 0});
    out.push_back({Act::Release, n + 1, 0});
  }
  return out;
}

/// What the fetching warp does.
std::vector<Step> fetcher(const Agreement& a, int rounds) {
  std::vector<Step> out;
  for (int round = 0; round < std::min(rounds, a.first_rounds); ++round) {
    out.push_back({Act::Expect, round, 0});
    out.push_back({Act::CopySlot, round, 0});
    for (int plane = -2; round == 0 && plane <= 0; ++plane) out.push_back({Act::CopyP, plane, 0});
  }
  for (int round = 1; round < rounds; ++round) {
    out.push_back({Act::Wait, a.after(round), 0});
    if (round >= a.first_rounds) out.push_back({Act::Expect, round, 0});
    out.push_back({Act::CopyP, round, round});
    if (round >= a.first_rounds) out.push_back({Act::CopySlot, round, 0});
  }
  return out;
}

/// All there is to know at a moment; bytes, so that it can be remembered by its bits.
struct State {
  static constexpr int warps = 3;            ///< that work; behind them the fetching one
  std::array<std::int8_t, warps + 1> at{};   ///< where they are
  std::array<std::int8_t, warps> meeting{};  ///< waits at the barrier between stages
  std::array<std::int8_t, 8> slot;           ///< planes of coefficients
  std::array<std::int8_t, 4> p;              ///< rounds of p
  std::array<std::array<std::int8_t, 3>, 4>
      result;  ///< [stage][place]: step in which it was written, by all
  /// Barriers: passes so far, arrivals and copies that are missing of this one.
  struct Barrier {
    std::int8_t passes = 0, arrivals = 0, copies = 0;
  };
  std::array<Barrier, 4> arrived{}, released{};
  struct Copy {
    std::int8_t of_slot = 0, round = none, with = 0;
  };
  std::array<Copy, 12> flying{};

  State() {
    slot.fill(none);
    p.fill(none);
    for (auto& each : result) each.fill(none);
  }
  std::string bits() const { return {reinterpret_cast<const char*>(this), sizeof *this}; }
};

class Search {
public:
  Search(const Agreement& agreement, int steps)
      : a_(agreement), scripts_(State::warps, worker(agreement, steps)) {
    scripts_.push_back(fetcher(agreement, steps));
  }

  /// The first fault met; empty where there is none.
  std::string run() {
    State first;
    for (int n = 0; n < a_.barriers; ++n) {
      first.arrived[idx(n)].arrivals = 1;
      first.released[idx(n)].arrivals = State::warps;
    }
    std::vector<State> open{first};
    seen_.insert(first.bits());
    while (!open.empty()) {
      const State state = open.back();
      open.pop_back();
      next_.clear();
      for (int w = 0; w <= State::warps; ++w) act(state, w);
      for (std::size_t n = 0; n < state.flying.size(); ++n) land(state, n);
      if (!fault_.empty()) return fault_;
      if (next_.empty() && !ended(state)) return "deadlock";
      for (const State& each : next_)
        if (seen_.insert(each.bits()).second) open.push_back(each);
    }
    return {};
  }
  std::size_t states() const { return seen_.size(); }

private:
  static std::size_t idx(int n) { return static_cast<std::size_t>(n); }
  std::size_t barrier(int n) const { return idx(n % a_.barriers); }
  std::size_t place(int n) const { return idx((n + a_.places) % a_.places); }
  bool ended(const State& s) const {
    for (int w = 0; w <= State::warps; ++w)
      if (!ended(s, w)) return false;
    return true;
  }
  bool ended(const State& s, int w) const {
    return static_cast<std::size_t>(s.at[idx(w)]) == scripts_[idx(w)].size();
  }
  /// As the hardware answers: only whether the number of passes is odd is known.
  bool passed(const State::Barrier& b, int n) const { return b.passes % 2 != n / a_.barriers % 2; }
  static void settle(State::Barrier& b, int arrivals) {
    if (b.arrivals > 0 || b.copies > 0) return;
    ++b.passes;
    b.arrivals = static_cast<std::int8_t>(arrivals);
  }
  void want(bool good, const char* what) {
    if (!good && fault_.empty()) fault_ = what;
  }

  void act(const State& state, int w) {
    if (ended(state, w)) return;
    const Step step = scripts_[idx(w)][static_cast<std::size_t>(state.at[idx(w)])];
    State s = state;
    switch (step.act) {
      case Act::Wait: {
        const auto& all = w == State::warps ? s.released : s.arrived;
        if (!passed(all[barrier(step.round)], step.round)) return;
        break;
      }
      case Act::ReadP:
        want(s.p[place(step.round)] == step.round, "p is not there");
        break;
      case Act::ReadSlot:
        want(s.slot[idx(step.round % a_.slots)] == step.round, "coefficients are not there");
        break;
      case Act::Write: {
        // Written by the first warp of a step; no other may still have to read what stood there.
        const int where = step.round % a_.results;
        auto& result = s.result[idx(step.more)][idx(where)];
        for (int other = 0; other < State::warps; ++other)
          want(result == step.round || result == none || !reads(s, other, step.more, result),
               "a result is overwritten");
        result = static_cast<std::int8_t>(step.round);
        break;
      }
      case Act::ReadResult:
        want(s.result[idx(step.more)][idx(step.round % a_.results)] == step.round,
             "a result is not there");
        break;
      case Act::Meet:
        if (s.meeting[idx(w)] != 0) return;
        s.meeting[idx(w)] = 1;
        if (std::count(s.meeting.begin(), s.meeting.end(), 1) == State::warps) {
          s.meeting.fill(0);
          for (int other = 0; other < State::warps; ++other) ++s.at[idx(other)];
        }
        next_.push_back(s);
        return;
      case Act::Release: {
        auto& b = s.released[barrier(step.round)];
        --b.arrivals;
        settle(b, State::warps);
        break;
      }
      case Act::Expect: {
        auto& b = s.arrived[barrier(step.round)];
        b.copies = static_cast<std::int8_t>(step.round == 0 ? 4 : 2);
        --b.arrivals;
        break;
      }
      case Act::CopySlot:
        s.slot[idx(step.round % a_.slots)] = none;
        fly(s, {1, static_cast<std::int8_t>(step.round), static_cast<std::int8_t>(step.round)});
        break;
      case Act::CopyP:
        s.p[place(step.round)] = none;
        fly(s, {0, static_cast<std::int8_t>(step.round), static_cast<std::int8_t>(step.more)});
        break;
    }
    ++s.at[idx(w)];
    next_.push_back(s);
  }
  /// Has warp `w` still to read what stage `stage` left in step `n`?
  bool reads(const State& s, int w, int stage, int n) const {
    const std::vector<Step>& its = scripts_[idx(w)];
    return std::any_of(its.begin() + s.at[idx(w)], its.end(), [&](const Step& step) {
      return step.act == Act::ReadResult && step.more == stage && step.round == n;
    });
  }

  static void fly(State& s, State::Copy copy) {
    *std::find_if(s.flying.begin(), s.flying.end(),
                  [](const State::Copy& c) { return c.round == none; }) = copy;
  }
  /// Copies come in any order.
  void land(const State& state, std::size_t n) {
    if (state.flying[n].round == none) return;
    State s = state;
    const State::Copy copy = s.flying[n];
    s.flying[n] = {};
    (copy.of_slot != 0 ? s.slot[idx(copy.round % a_.slots)] : s.p[place(copy.round)]) = copy.round;
    auto& b = s.arrived[barrier(copy.with)];
    --b.copies;
    settle(b, 1);
    // The order in which they are noted is of no meaning.
    std::sort(s.flying.begin(), s.flying.end(), [](const State::Copy& l, const State::Copy& r) {
      return l.round != r.round ? l.round > r.round : l.of_slot > r.of_slot;
    });
    next_.push_back(s);
  }

  Agreement a_;
  std::vector<std::vector<Step>> scripts_;  ///< of each warp
  std::unordered_set<std::string> seen_;
  std::vector<State> next_;
  std::string fault_;
};

/// Longer than any of its cycles: slots, places and parities come round.
constexpr int steps = 8;

template <int Sweeps>
void expect_no_fault() {
  Search search(real<Sweeps>(), steps);
  EXPECT_EQ(search.run(), "");
  EXPECT_GT(search.states(), 1000U);
}

TEST(TemporalRounds, HaveNoFaultWithTwoSweeps) { expect_no_fault<2>(); }
TEST(TemporalRounds, HaveNoFaultWithThreeSweeps) { expect_no_fault<3>(); }
TEST(TemporalRounds, HaveNoFaultWithFourSweeps) { expect_no_fault<4>(); }

/// What the search finds in an agreement with this fault.
template <int Sweeps>
std::string found(void (*spoil)(Agreement&)) {
  Agreement spoilt = real<Sweeps>();
  spoil(spoilt);
  return Search(spoilt, steps).run();
}

TEST(TemporalRounds, NeedAllOfWhatTheyHave) {
  EXPECT_NE(found<3>([](Agreement& a) { a.barriers = 2; }), "");
  const auto early = [](Agreement& a) {
    a.after = [](int round) { return round > 3 ? round - 3 : 0; };
  };
  EXPECT_NE(found<3>(early), "") << "fetched a round earlier";
  EXPECT_EQ(found<3>([](Agreement& a) { --a.slots; }), "coefficients are not there");
  EXPECT_EQ(found<3>([](Agreement& a) { --a.places; }), "p is not there");
  EXPECT_EQ(found<2>([](Agreement& a) { a.results = 1; }), "a result is overwritten");
}

}  // namespace
}  // namespace memstencil::jacobi
