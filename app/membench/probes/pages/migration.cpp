// Probes patterns and migration: copies between two arrays that first touch has placed, repeat by
// repeat, and where their pages are ([tsukuba-thesis-2024], 4.2).
#include "app/bench/memory_record.hpp"
#include "app/membench/core/analysis.hpp"
#include "app/membench/core/memory.hpp"
#include "kernels/elapsed.hpp"
#include "kernels/probes/arrays.hpp"
#include "memory_spaces/capabilities.hpp"
#include "memory_spaces/movement.hpp"

namespace memstencil::membench {

namespace {

/// The memory of the arrays, by the row's axis `memory`. @throws LeftOut with the reason
MemorySpace memory_of(State& state) {
  const MemorySpace space = *memory_space_from_name(state.text("memory"));
  require_access(state, space, Executor::Device);
  // Each of both memories may come to hold both arrays.
  for (const MemorySpace each : {MemorySpace::SystemAllocated, MemorySpace::Device})
    require_memory(each, 2 * state.bytes());
  return space;
}

double counted_bytes(const Row& row) {
  return 2 * sizeof(double) * std::floor(row.number("bytes") / sizeof(double));
}

/// Source and destination of an experiment, untouched at first.
class Placed {
public:
  /// Read-mostly advice is for the source alone: it is for data that are hardly written.
  /// @throws Failure(Machine) if host or GPU has not room for both arrays
  explicit Placed(State& state, Advice advice = Advice::None)
      : paper_(state.setup.paper),
        counted_(counted_bytes(state)),
        source_(memory_of(state), state.bytes()),
        destination_(source_.space(), state.bytes()) {
    advise(source_, advice, Executor::Device);
    if (advice != Advice::ReadMostly) advise(destination_, advice, Executor::Device);
  }

  /// Lists 4.4 and 4.5, with random values in place of the lists' i % 10 and 0, so that no element
  /// of a destination is right before it was copied.
  void touch(Executor source, Executor destination) {
    source_.write(source);
    destination_.write(destination);
  }
  /// GB/s, read + written, of one copy by the host's clock around launch and wait (lists 4.6, 4.7).
  /// The host's copy is vectorised, with --paper the thesis' own loop.
  double copy(Executor by) {
    const auto copies = by == Executor::Device ? probes::device_copy
                        : paper_               ? probes::host_copy_plain
                                               : probes::host_copy_vectorised;
    return gbs(counted_,
               host_seconds([&] { copies(destination_.data(), source_.data(), source_.count()); }));
  }
  /// Seconds until both arrays are with the executor.
  double prefetch(Executor to) {
    return host_seconds([&] {
      memstencil::prefetch(source_, to);
      memstencil::prefetch(destination_, to);
    });
  }
  /// Spoils the destination, copies once more and compares every element, all by the executor that
  /// has just copied: so no page moves that would not have moved anyway.
  void verify(const std::string& title, Executor by) {
    destination_.write(by);
    copy(by);
    destination_.verify_copied(source_, title, by);
  }
  /// The places of both arrays' pages; none if the system does not tell. Asking takes longer than a
  /// short copy, and so stands between series and never in them.
  PageSides places() {
    PageSides out;
    for (Array* array : {&source_, &destination_}) {
      const Residency found = residency(*array, 4096);
      if (!found.known) return {};
      out.add(found, gpu_facts().numa_id);
    }
    return out;
  }
  double gigabytes() const { return 1e-9 * counted_ / 2; }  ///< of one of them

private:
  bool paper_;
  double counted_;
  Array source_, destination_;
};

/// The shares of pages on either side before and after, if the system knows them.
void add_places(State& state, const PageSides& before, const PageSides& after) {
  if (before.all() == 0 || after.all() == 0)
    return state.note("the places of pages are not known here");
  state.add("host_share_before", before.on_host / before.all());
  state.add("host_share_after", after.on_host / after.all());
  if (gpu_facts().numa_id >= 0) {
    state.add("gpu_share_before", before.on_gpu.value_or(0) / before.all());
    state.add("gpu_share_after", after.on_gpu.value_or(0) / after.all());
    return;
  }
  state.add("not_mapped_share_after", after.not_mapped / after.all());
  state.note(
      "the GPU is no NUMA node here: pages that the host has not mapped are at the GPU, or "
      "have not been touched");
}

/// first_gbs, steady_gbs and steady_repeat (0: never) of one experiment's series.
void add_settling(State& state, const std::vector<double>& series) {
  const Settling settled = settling(series);
  state.add("first_gbs", settled.first);
  state.add("steady_gbs", settled.steady);
  state.add("steady_repeat", static_cast<double>(settled.repeat.value_or(0)));
}

Axis array_bytes(bool paper) {
  return sizes("bytes", paper ? std::vector<double>{4e9, 8e9} : std::vector<double>{1. * gib});
}

/// Memory that this machine's GPU reaches; the first of them by default.
Axis moving_memory(bool both) {
  const bool system =
      gpu_count() > 0 && support(MemorySpace::SystemAllocated, Executor::Device).served;
  if (system && both) return names("memory", {"system", "managed"});
  return system ? names("memory", {"system"}, {"managed"})
                : names("memory", {"managed"}, {"system"});
}

/// In the thesis' order as far as its text has it; that the destination goes from host to device
/// faster than the source is our assumption (docs/probes/pages.md).
void measure_pattern(State& state) {
  const int bits = state.integer("pattern") - 1;
  const auto executor = [&](int bit) {
    return (bits >> bit & 1) == 0 ? Executor::Host : Executor::Device;
  };
  const Executor source = executor(1), destination = executor(0), by = executor(2);
  for (const auto& [column, who] :
       {std::pair("source", source), {"destination", destination}, {"executor", by}})
    state.set(column, std::string(name(who)));
  Placed arrays(state);
  arrays.touch(source, destination);
  const PageSides before = arrays.places();
  // If pages move by fault, all of them have moved after the first repeat. Access counters take
  // tens.
  constexpr int by_fault = 20, by_counter = 100, paper = 200;
  const std::vector<double> series =
      state.series("gbs", state.is("memory", "system") ? by_counter : by_fault, paper,
                   [&] { return arrays.copy(by); });
  add_places(state, before, arrays.places());
  add_settling(state, series);
  arrays.verify(state.title(), by);
  if (state.is("memory", "managed"))
    state.note(
        "managed memory: pages move to whoever touches them, by fault and in the first repeat; "
        "those of system memory (the thesis') to the GPU alone, over many repeats");
}

/// The hint of the axis `mode`; a prefetch is none, nor is plain.
Advice advice_of(const State& state) {
  for (const Advice each : all_advice)
    if (state.is("mode", std::string(name(each)))) return each;
  return Advice::None;
}

/// Arrays that a phase has to move to its executor: one after the first touch, which has put one on
/// either side, and then both. An array that the hint keeps in its place is not moved: a
/// read-mostly source stays with the host and gets a copy at the GPU, and with accessed-by the host
/// fetches back the destination alone.
int arrays_to_move(const State& state, bool first) {
  const bool once =
      advice_of(state) == Advice::ReadMostly || advice_of(state) == Advice::AccessedBy;
  return once || (first && !state.text("phase").ends_with("in turns")) ? 1 : 2;
}

/// The arrays of an experiment, which its phases go through in their order.
std::unique_ptr<Placed> begin_phases(State& state) {
  const MemorySpace space = memory_of(state);
  const Advice advice = advice_of(state);
  const std::string why =
      state.is("mode", "prefetch") ? why_not_prefetch(space) : why_not_advice(space, advice);
  if (!why.empty()) state.leave_out(state.text("memory") + ", " + state.text("mode") + ": " + why);
  auto arrays = std::make_unique<Placed>(state, advice);
  arrays->touch(Executor::Host, Executor::Device);
  return arrays;
}

/// Device, host and device copy one after the other; or each in turns with the other, and then each
/// figure is of one of the two alone, its moving of pages included.
void run_phase(State& state, Shared<Placed>& shared) {
  bool first = false;  // a phase that is not asked for is left out
  Placed& arrays = shared.of(state.text("memory") + state.text("mode") + state.text("bytes"), [&] {
    first = true;
    return begin_phases(state);
  });
  const std::string phase = state.text("phase");
  const bool host = phase.starts_with("host"), in_turns = phase.ends_with("in turns");
  const Executor by = host ? Executor::Host : Executor::Device;
  const Executor other = host ? Executor::Device : Executor::Host;
  const double to_move = arrays_to_move(state, first) * arrays.gigabytes();
  const bool prefetched = state.is("mode", "prefetch");
  if (in_turns && !prefetched && !state.is("mode", "plain")) state.leave_out();
  if (in_turns && prefetched) {  // there and back, again and again
    state.add("prefetch_gbs", median(state.series("prefetch_gbs", 20, 100, [&] {
                arrays.prefetch(other);
                return to_move / arrays.prefetch(by);
              })));
    return arrays.verify(state.title(), by);
  }
  const PageSides before = arrays.places();
  if (prefetched) state.add("prefetch_gbs", to_move / arrays.prefetch(by));
  const std::vector<double> series = state.series("gbs", 20, 100, [&] {
    if (in_turns) arrays.copy(other);
    return arrays.copy(by);
  });
  if (!in_turns) {
    add_places(state, before, arrays.places());
    // The rate, one way, from the whole time of the series beyond as many steady repeats. Less than
    // half a steady repeat is noise.
    const double counted = 2 * arrays.gigabytes(), seconds = seconds_of_moving(series, counted);
    const bool moved = seconds > counted / settling(series).steady / 2;
    state.add("moved_gbs", moved ? to_move / seconds : 0);
  }
  add_settling(state, series);
  arrays.verify(state.title(), by);
}

}  // namespace

extern const Probe patterns_probe{
    .name = "patterns",
    .summary = "copies by source, destination and executor: the 8 patterns by first touch",
    .source = "[tsukuba-thesis-2024], 4.2.1, lists 4.4-4.7",
    .counted = "bytes read + written",
    .needs = Needs::Gpu,
    .axes = [](bool paper) -> std::vector<Axis> {
      return {array_bytes(paper), moving_memory(false),
              numbers("pattern", {1, 2, 3, 4, 5, 6, 7, 8})};
    },
    .counted_bytes = counted_bytes,
    .start = each_point<measure_pattern>,
    .notes = {"numbers 1 to 8 are the thesis'; the order of 2 and 3 and that of 5, 6 and 7 is "
              "assumed",
              "steady_repeat: from which on nine in ten repeats are within a fifth of steady_gbs; "
              "0: never; copies by the host are vectorised, with --paper the thesis' loop"},
    .paper_experiments = 10};

extern const Probe migration_probe{
    .name = "migration",
    .summary = "GPU, CPU and GPU again on the same arrays, and in turns: where the pages go",
    .source = "[tsukuba-thesis-2024], 4.2.2",
    .counted = "bytes read + written; pages by node where the system tells",
    .needs = Needs::Gpu,
    .axes = [](bool paper) -> std::vector<Axis> {
      std::vector<std::string> modes{"plain"}, all{"device 1", "host", "device 2"};
      if (!paper) {
        modes.insert(modes.end(), {"prefetch", "preferred", "read-mostly", "accessed-by"});
        all.insert(all.end(), {"device in turns", "host in turns"});
      }
      return {array_bytes(paper), moving_memory(!paper), names("mode", modes), names("phase", all)};
    },
    .counted_bytes = counted_bytes,
    .start = each_sharing<Shared<Placed>, run_phase>,
    .notes = {"moved_gbs: bytes that a phase has to move, one way, over what its whole series took "
              "longer than as many steady repeats; 0: nothing was moved",
              "... in turns: before each timed copy the other processor copies once; of the mode "
              "prefetch each timed prefetch follows one to the other processor",
              "the places of pages are asked for between series, and never within one"},
    .paper_experiments = 10};

}  // namespace memstencil::membench
