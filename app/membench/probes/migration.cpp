// Probe migration: GPU, host and GPU again copy between the same two arrays ([tsukuba-thesis-2024],
// section 4.2.2); and the two in turns.
#include "app/membench/core/placed.hpp"
#include "app/membench/core/settling.hpp"
#include "memory_spaces/capabilities.hpp"

#include <memory>

namespace memstencil::membench {

namespace {

/// In the order of the axis.
struct Phase {
  Executor executor;
  /// Arrays that are not with the executor when the phase starts, where pages move to who touches
  /// them: the source at first, then both. 0: the other executor copies before each copy.
  int to_move;
};
constexpr Phase phases[]{{Executor::Device, 1},
                         {Executor::Host, 2},
                         {Executor::Device, 2},
                         {Executor::Device, 0},
                         {Executor::Host, 0}};

constexpr int usual_repeats = 20, paper_repeats = 100;

/// The arrays of an experiment, which its phases go through in their order.
struct Course {
  std::string of;  ///< memory, mode and size
  std::unique_ptr<Placed> arrays;
  Places places;
};

/// In the order of the axis `mode`; a prefetch is no advice.
constexpr Advice advices[]{Advice::None, Advice::None, Advice::Preferred, Advice::ReadMostly,
                           Advice::AccessedBy};

void begin(State& state, Course& course) {
  const std::string of = state.text("memory") + state.text("mode") + state.text("bytes");
  if (course.of == of && course.arrays) return;
  course.arrays.reset();
  const MemorySpace space = memory_of(state);
  const Advice advice = advices[state.index("mode")];
  const std::string why =
      state.is("mode", "prefetch") ? refuse_prefetch(space) : refuse_advice(space, advice);
  if (!why.empty()) state.leave_out(state.text("memory") + ", " + state.text("mode") + ": " + why);
  course.of = of;
  course.arrays = std::make_unique<Placed>(state, advice);
  course.arrays->touch(Executor::Host, Executor::Device);
  course.places = course.arrays->places();
}

/// The rate, one way, of the moving of pages, from the whole time of the series: what it took
/// longer than as many steady repeats.
void add_moving(State& state, Placed& arrays, const Phase& phase, const std::vector<double>& gbs) {
  const double seconds = seconds_of_moving(gbs, 2 * arrays.gigabytes());
  const double steady = 2 * arrays.gigabytes() / settling(gbs).steady;
  // Less than half a steady repeat is not told from noise.
  state.add("moved_gbs", seconds > steady / 2 ? phase.to_move * arrays.gigabytes() / seconds : 0);
}

void run_phase(State& state, Course& course, const Phase& phase) {
  Placed& arrays = *course.arrays;
  if (state.is("mode", "prefetch"))
    state.add("prefetch_gbs", phase.to_move * arrays.gigabytes() / arrays.prefetch(phase.executor));
  const std::vector<double> series = state.series("gbs", usual_repeats, paper_repeats,
                                                  [&] { return arrays.copy(phase.executor); });
  const Places after = arrays.places();
  add_places(state, course.places, after);
  course.places = after;
  add_settling(state, series);
  add_moving(state, arrays, phase, series);
  arrays.verify(state.title(), phase.executor);
}

/// One copy by the GPU, one by the host, and so on, on the same arrays: each figure is of one of
/// the two alone, its moving of pages included.
void run_turns(State& state, Course& course, Executor executor) {
  Placed& arrays = *course.arrays;
  const Executor other = executor == Executor::Host ? Executor::Device : Executor::Host;
  add_settling(state, state.series("gbs", usual_repeats, paper_repeats, [&] {
    arrays.copy(other);
    return arrays.copy(executor);
  }));
  arrays.verify(state.title(), executor);
}

Point start(const Setup&) {
  const auto course = std::make_shared<Course>();
  return [course](State& state) {
    begin(state, *course);
    const Phase& phase = phases[state.index("phase")];
    if (phase.to_move > 0) return run_phase(state, *course, phase);
    if (!state.is("mode", "plain")) state.leave_out();
    run_turns(state, *course, phase.executor);
  };
}

std::vector<Axis> axes(bool paper) {
  std::vector<std::string> modes{"plain"}, all{"device 1", "host", "device 2"};
  if (!paper) {
    modes.insert(modes.end(), {"prefetch", "preferred", "read-mostly", "accessed-by"});
    all.insert(all.end(), {"device in turns", "host in turns"});
  }
  return {array_bytes(paper), moving_memory(!paper), names("mode", modes), names("phase", all)};
}

}  // namespace

extern const Probe migration_probe{
    .name = "migration",
    .summary = "GPU, CPU and GPU again on the same arrays, and in turns: where the pages go",
    .source = "[tsukuba-thesis-2024], 4.2.2",
    .counted = "bytes read + written; pages by node where the system tells",
    .needs = Needs::Gpu,
    .axes = axes,
    .start = start,
    .notes = {"moved_gbs: bytes that a phase has to move, one way, over what its whole series took "
              "longer than as many steady repeats; 0: nothing was moved",
              "... in turns: before each timed copy the other processor copies once",
              "the places of pages are asked for between series, and never within one"},
    .paper_experiments = 10};

}  // namespace memstencil::membench
