// Probe patterns: copies by source x destination x executor, the eight patterns of first touch.
#include "app/membench/placement/patterns.hpp"

#include "memory_spaces/capabilities.hpp"

namespace memstencil::membench::patterns_probe {

namespace {

constexpr int paper_repeats = 200;
constexpr int paper_experiments = 10;

/// If pages move by fault, all of them have moved after the first
/// repeat. Access counters take tens.
int usual_repeats(MemorySpace space) { return space == MemorySpace::SystemAllocated ? 100 : 20; }

std::string title(const Pattern& p) {
  return fmt::format("({}) {} to {} by {}", p.number, name(p.source), name(p.destination),
                     name(p.executor));
}

/// All experiments of a pattern, into the result.
void measure(const Pattern& pattern, const Settings& settings, const ArraysWanted& wanted,
             const MakeArrays& make, ProbeResult& result, ResidencyTable& residency,
             MovesOfSeries& moves_of_series) {
  const Record parameters{{"pattern", pattern.number},
                          {"source", name(pattern.source)},
                          {"destination", name(pattern.destination)},
                          {"executor", name(pattern.executor)},
                          {"memory", name(wanted.space)},
                          {"bytes", wanted.bytes}};
  const int experiments = settings.experiment_count(1, paper_experiments);
  for (int experiment = 1; experiment <= experiments; ++experiment) {
    settings.progress(
        fmt::format("{}, experiment {} of {}", title(pattern), experiment, experiments));
    const auto arrays = make(wanted);
    arrays->touch(pattern.source, pattern.destination);
    const auto observe = [&](int repeats) {
      return residency.observe(
          *arrays,
          {{"pattern", pattern.number}, {"experiment", experiment}, {"after_repeats", repeats}});
    };
    PageMoves moves{.before = observe(0), .after = {}, .unknown = residency.reason()};
    const Samples samples = copy_series(*arrays, wanted.bytes, pattern.executor, settings,
                                        {usual_repeats(wanted.space), paper_repeats});
    moves.after = observe(static_cast<int>(samples.values.size()));
    moves_of_series.add(title(pattern), wanted.bytes, pattern.executor, moves);
    arrays->verify(pattern.executor);
    result.derived[size_key(wanted.bytes)][fmt::format("pattern {}", pattern.number)] =
        settling_record(result.add(title(pattern), parameters, "GB/s", samples));
  }
}

std::vector<std::string> notes(MemorySpace space, bool chosen) {
  std::vector<std::string> notes{
      "numbers (1) to (8) are the thesis'; the order of (2) and (3) and that of (5), "
      "(6) and (7) is assumed"};
  if (space != MemorySpace::SystemAllocated)
    notes.push_back(fmt::format(
        "managed memory, {}: pages move to whoever touches them, by fault and in the first repeat; "
        "the thesis' move to the GPU alone, by access counter and over many repeats",
        chosen ? "as chosen"
               : "since this GPU does not reach system-allocated memory "
                 "(cudaDevAttrPageableMemoryAccess 0)"));
  return notes;
}

ProbeResult run(const Settings& settings) {
  return measure_patterns(settings, spaces_to_measure(settings).front(), gpu_facts().numa_id,
                          make_placed_arrays);
}

}  // namespace

extern const Probe probe{
    .name = "patterns",
    .summary = "copies by source, destination and executor: the 8 patterns by first touch",
    .source = "[tsukuba-thesis-2024], 4.2.1, lists 4.4-4.7",
    .counted = "bytes read + written",
    .options = {&size_option, &sizes_option, &memspace_option},
    .refused = refuse_without_gpu,
    .run = run};

const std::array<Pattern, 8>& patterns() {
  constexpr Executor host = Executor::Host;
  constexpr Executor device = Executor::Device;
  static constexpr std::array<Pattern, 8> all{{{1, host, host, host},
                                               {2, host, device, host},
                                               {3, device, host, host},
                                               {4, device, device, host},
                                               {5, host, host, device},
                                               {6, host, device, device},
                                               {7, device, host, device},
                                               {8, device, device, device}}};
  return all;
}

ProbeResult measure_patterns(const Settings& settings, MemorySpace space, int gpu_node,
                             const MakeArrays& make) {
  ProbeResult result;
  ResidencyTable residency(gpu_node);
  MovesOfSeries moves;
  for (const std::size_t bytes : array_sizes(settings))
    for (const Pattern& pattern : patterns())
      measure(pattern, settings, {space, bytes, Advice::None}, make, result, residency, moves);
  derive_size_losses(result.derived, array_sizes(settings));
  if (!residency.columns().empty()) result.tables["residency"] = residency.columns();
  result.notes = notes(space, settings.memspace.has_value());
  moves.deliver(gpu_node, result);
  if (const std::string unknown = residency.unknown(); !unknown.empty())
    result.notes.push_back(unknown);
  return result;
}

}  // namespace memstencil::membench::patterns_probe
