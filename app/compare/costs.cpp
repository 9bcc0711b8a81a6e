// The seconds of a run of himeno, or of one variant of transpose, by what they went into.
#include "app/compare/costs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

namespace memstencil::compare {

namespace {

/// The keys of a run's memory, as opposed to its problem; the number of
/// steps is no part of either.
constexpr std::array members_of_memory{"memspace", "first_touch", "pre-touch",
                                       "prefetch", "advise",      "pages",
                                       "threads",  "iterations",  "messages"};

std::string problem_key(const Entry& entry) {
  Record identity = entry.identity;
  for (const char* member : members_of_memory) identity.erase(member);
  return entry.table + identity.dump();
}

/// The memory, and between GPUs the path of the messages: "device, by NCCL".
std::string memory_of(const Entry& entry) {
  const std::string path = text_of(entry.identity, "messages");
  return memory_label(entry.identity) + (path.empty() ? "" : ", by " + path_in_words(path));
}

double median_of(std::vector<double> values) {
  if (values.empty()) return 0;
  return spread_of(values).median;
}

/// Of all steps: the first ones may move pages.
void take_second_half(const std::vector<double>& seconds, Costs& costs) {
  std::vector<double> half(seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 2),
                           seconds.end());
  costs.tail = median_of(half);
  if (!(costs.tail > 0)) return;
  std::sort(half.begin(), half.end());
  costs.spread = (half[(half.size() - 1) * 3 / 4] - half[half.size() / 4]) / costs.tail;
}

/// 14 arrays of floats, rows padded to 32.
double bytes_of_arrays(const himeno::Result& run) {
  const auto [i, j, k] = run.extents;
  return 14.0 * sizeof(float) * static_cast<double>(i) * static_cast<double>(j) *
         static_cast<double>((k + 31) / 32 * 32);
}

double bytes_of_arrays(const transpose::Result& run) {
  const double element = run.type == "double" ? sizeof(double) : sizeof(float);
  return (run.operation == "in-place" ? 1 : 2) * element * static_cast<double>(run.rows) *
         static_cast<double>(run.columns);
}

double seconds_of(const Named<double>& phases, const char* phase) {
  const double* seconds = phases.find(phase);
  return seconds == nullptr ? 0 : *seconds;
}

Seconds parts_once(const Named<double>& phases) {
  Seconds once;
  once[Part::Allocate] = seconds_of(phases, "allocate");
  once[Part::Initialise] = seconds_of(phases, "initialise");
  once[Part::Upload] = seconds_of(phases, "upload");
  once[Part::PreTouch] = seconds_of(phases, "pre-touch");
  once[Part::Ranks] = seconds_of(phases, "halo") + seconds_of(phases, "reduce");
  once[Part::Download] = seconds_of(phases, "download");
  once[Part::Free] = seconds_of(phases, "free");
  return once;
}

void take_limit(const std::string& kind, Costs& costs) {
  costs.limit_kind = kind;
  const Entry& entry = *costs.entry;
  if (entry.of_limit && entry.bandwidth && *entry.of_limit > 0)
    costs.limit_gbs = *entry.bandwidth / *entry.of_limit;
  costs.fraction = entry.of_limit.value_or(0);
}

Costs costs_of_run(const Entry& entry, const himeno::Result& run) {
  Costs costs{.entry = &entry, .key = problem_key(entry), .memory = memory_of(entry)};
  const std::string extents = fmt::format("{}", fmt::join(run.extents, "x"));
  costs.problem = "himeno " +
                  (run.size == extents ? extents : fmt::format("{} ({})", run.size, extents)) +
                  ", " + run.sweep;
  if (const std::string layout = text_of(entry.identity, "layout"); !layout.empty())
    costs.problem += ", " + layout;
  if (const std::string ranks = text_of(entry.identity, "ranks"); ranks != "1x1x1")
    costs.problem += ", ranks " + ranks;
  if (run.exec == "host" && run.machine.gpu) costs.problem += ", by the host";
  costs.step = "sweep";
  costs.bytes = bytes_of_arrays(run);
  costs.steps = run.iterations;
  costs.median = run.sweep_seconds.spread.median;
  costs.first = run.sweep_seconds.first;
  take_second_half(run.sweeps.seconds, costs);
  costs.all_steps = run.phases.at("sweeps");
  costs.once = parts_once(run.phases);
  take_limit(run.limit.kind, costs);
  // himeno's fraction is of all sweeps; at the median it is higher where some took longer.
  if (costs.median > 0)
    costs.fraction *= costs.all_steps / (static_cast<double>(costs.steps) * costs.median);
  return costs;
}

/// The variant's own iterations, and the phases that all variants of the run share.
Costs costs_of_run(const Entry& entry, const transpose::Result& run,
                   const transpose::Result::Variant& variant) {
  Costs costs{.entry = &entry, .key = problem_key(entry), .memory = memory_of(entry)};
  costs.problem =
      fmt::format("transpose {} x {} {}, {}", run.rows, run.columns, run.type, variant.name);
  if (run.operation != "plain") costs.problem += ", " + run.operation;
  if (run.ranks != 1) costs.problem += fmt::format(", ranks {}", run.ranks);
  costs.step = "transpose";
  costs.bytes = bytes_of_arrays(run);
  costs.steps = static_cast<std::int64_t>(variant.seconds.size());
  costs.median = median_of(variant.seconds);
  costs.first = variant.seconds.front();
  take_second_half(variant.seconds, costs);
  costs.all_steps = std::accumulate(variant.seconds.begin(), variant.seconds.end(), 0.0);
  costs.once = parts_once(run.phases);
  take_limit(run.limit.kind, costs);  // of the medians already
  return costs;
}

}  // namespace

double Seconds::total() const { return std::accumulate(seconds_.begin(), seconds_.end(), 0.0); }

bool Costs::steady() const {
  constexpr std::int64_t least = 6;
  constexpr double equal = 0.05;
  return steps >= least && std::abs(tail - median) <= equal * median;
}

double Costs::equal_steps_within(const Costs& other) const {
  constexpr double least = 0.02;  // two series that happen to agree prove no more
  return std::max({least, spread, other.spread});
}

bool Costs::as_fast_a_step_as(const Costs& other) const {
  return std::abs(median - other.median) <=
         equal_steps_within(other) * std::min(median, other.median);
}

Seconds Costs::at(std::int64_t count) const {
  Seconds seconds = once;
  const double more = static_cast<double>(count - steps);
  const double sweeps = all_steps + more * tail;
  seconds[Part::Pace] = std::min(sweeps, median * static_cast<double>(count));
  seconds[Part::Beyond] = sweeps - seconds[Part::Pace];
  seconds[Part::Ranks] *= static_cast<double>(count) / static_cast<double>(steps);
  return seconds;
}

std::vector<Costs> costs_of(const Side& side) {
  std::vector<Costs> all;
  for (const Entry& entry : side.entries) {
    if (const auto* run = entry.run->as<himeno::Result>();
        run != nullptr && entry.table == "himeno: speed")
      all.push_back(costs_of_run(entry, *run));
    if (const auto* run = entry.run->as<transpose::Result>(); run != nullptr && !run->sizes)
      for (const transpose::Result::Variant& variant : run->variants)
        if (variant.name == text_of(entry.identity, "variant") && !variant.seconds.empty())
          all.push_back(costs_of_run(entry, *run, variant));
  }
  return all;
}

std::optional<double> spread_of_wall_times(const Side& side) {
  std::optional<double> largest;
  for (const auto& same : side.himeno_cases) {
    std::vector<double> times;
    for (const Run* run : same) {
      const auto& result = *run->as<himeno::Result>();
      if (result.repeats)
        for (const auto& repeat : *result.repeats) times.push_back(wall_time(repeat.phases));
      else
        times.push_back(wall_time(result.phases));
    }
    if (times.size() < 2) continue;
    const Spread spread = spread_of(times);
    largest = std::max(largest.value_or(0), (spread.maximum - spread.minimum) / spread.median);
  }
  return largest;
}

}  // namespace memstencil::compare
