// Probe patterns: copies by source x destination x executor, the eight patterns of first touch
// ([tsukuba-thesis-2024], 4.2.1).
#include "app/membench/core/placed.hpp"

namespace memstencil::membench {

namespace {

struct Pattern {
  Executor source, destination, executor;
};

/// In the thesis' order as far as its text tells: the host copies in (1) to (4), (1) is all on the
/// host, (4) is the host on device memory, (2) and (3) reach over the link in one direction, (5) to
/// (7) the GPU over the link, (8) is all on the GPU. Figure 4.1, which would tell (2) from (3) and
/// (5), (6) and (7) apart, is not in the text: that the destination goes from host to device faster
/// than the source is our assumption.
Pattern pattern(int number) {
  const int bits = number - 1;
  const auto executor = [&](int bit) {
    return (bits >> bit & 1) == 0 ? Executor::Host : Executor::Device;
  };
  return {executor(1), executor(0), executor(2)};
}

/// If pages move by fault, all of them have moved after the first repeat. Access counters take
/// tens.
constexpr int by_fault = 20, by_counter = 100, paper_repeats = 200;

Point start(const Setup&) {
  return [](State& state) {
    const Pattern p = pattern(state.integer("pattern"));
    state.set("source", std::string(name(p.source)));
    state.set("destination", std::string(name(p.destination)));
    state.set("executor", std::string(name(p.executor)));
    Placed arrays(state, Advice::None);
    arrays.touch(p.source, p.destination);
    const Places before = arrays.places();
    const std::vector<double> series =
        state.series("gbs", state.is("memory", "system") ? by_counter : by_fault, paper_repeats,
                     [&] { return arrays.copy(p.executor); });
    add_places(state, before, arrays.places());
    add_settling(state, series);
    arrays.verify(state.title(), p.executor);
    if (state.is("memory", "managed"))
      state.note(
          "managed memory: pages move to whoever touches them, by fault and in the first "
          "repeat; the thesis' (system) move to the GPU alone, by access counter and over "
          "many repeats");
  };
}

std::vector<Axis> axes(bool paper) {
  return {array_bytes(paper), moving_memory(false), numbers("pattern", {1, 2, 3, 4, 5, 6, 7, 8})};
}

}  // namespace

extern const Probe patterns_probe{
    .name = "patterns",
    .summary = "copies by source, destination and executor: the 8 patterns by first touch",
    .source = "[tsukuba-thesis-2024], 4.2.1, lists 4.4-4.7",
    .counted = "bytes read + written",
    .needs = Needs::Gpu,
    .axes = axes,
    .start = start,
    .notes = {"numbers 1 to 8 are the thesis'; the order of 2 and 3 and that of 5, 6 and 7 is "
              "assumed",
              "steady_repeat: from which on nine in ten repeats are within a fifth of steady_gbs; "
              "0: never; copies by the host are vectorised, with --paper the thesis' loop"},
    .paper_experiments = 10};

}  // namespace memstencil::membench
