// Entries of a himeno run: speed, time of a sweep, phases; of --tune, each kind of sweep.
#include "app/compare/entry.hpp"

#include "app/compare/table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <optional>
#include <type_traits>

namespace memstencil::compare {

namespace {

constexpr double mega = 1e-3;         // MFLOPS to GFLOPS
constexpr double short_phase = 1e-4;  // s: under it a phase explains nothing

Spread scaled(const Spread& spread, double factor) {
  return {factor * spread.minimum, factor * spread.median, factor * spread.maximum};
}

Spread alone(double value) { return {value, value, value}; }

/// The members that a run and a trial of --tune share.
template <class AnyResult>
Entry problem(const AnyResult& run, const std::string& layout) {
  Entry entry{.program = "himeno", .identity = {{"size", run.size}}};
  entry.label = run.size;
  entry.requested = requested_memory(run.memspace);
  if (run.options_of_case.coefficients)
    entry.identity.emplace("coefficients", *run.options_of_case.coefficients);
  if (layout != himeno::only_layout) {
    entry.identity.emplace("layout", layout);
    entry.label += ", " + layout;
  }
  entry.identity.emplace("ranks", fmt::format("{}", fmt::join(run.ranks, "x")));
  return entry;
}

template <class AnyResult>
void add_placement(const AnyResult& run, Entry& entry) {
  entry.identity.update(placement_identity(run));
  if (const std::string ranks = text_of(entry.identity, "ranks"); ranks != "1x1x1")
    entry.label += ", ranks " + ranks;
  entry.label += messages_label(entry.identity);
}

Entry base(const himeno::Result& run) {
  Entry entry = problem(run, run.layout);
  // With --seconds the number of sweeps is the machine's; otherwise it is part of the case, since
  // what migrates in the first sweeps weighs less among more of them.
  const std::optional<double> seconds = run.options_of_case.seconds;
  const std::string duration = seconds ? Record(*seconds).dump() + " s" : "";
  entry.identity.emplace("iterations",
                         seconds ? Record(duration) : Record(static_cast<double>(run.iterations)));
  entry.identity.emplace("sweep", run.sweep);
  entry.label +=
      ", " + run.sweep + (seconds ? ", for " + duration : fmt::format(" x {}", run.iterations));
  add_placement(run, entry);
  return entry;
}

/// The figure of a machine's description that a run measures as its limit; empty: none.
std::vector<std::string> theory_of_limit(const std::string& kind) {
  if (kind == "copy") return {"device_memory"};
  if (kind == "link") return {"link_host_to_device"};
  return kind == "read stream" ? std::vector<std::string>{"host_memory"}
                               : std::vector<std::string>{};
}

Entry speed(const himeno::Result& run) {
  Entry entry = base(run);
  entry.table = "himeno: speed";
  entry.unit = "GFLOPS";
  entry.value = run.mflops_spread ? scaled(*run.mflops_spread, mega) : alone(mega * run.mflops);
  entry.of_limit = run.limit.fraction;
  entry.bandwidth = run.bandwidth_gbs;
  // Theory is a machine's; several ranks may have run on several.
  if (run.ranks == std::array{1, 1, 1}) entry.theory = theory_of_limit(run.limit.kind);
  entry.primary = true;
  return entry;
}

}  // namespace

std::vector<Entry> entries_of(const himeno::TuneResult& run) {
  std::vector<Entry> entries;
  for (const himeno::TriedSweep& tried : run.tune) {
    if (!tried.sweep_seconds) continue;
    Entry entry = problem(run, tried.layout);
    add_placement(run, entry);
    entry.table = "himeno: kinds of sweep tried by --tune";
    entry.identity.emplace("sweep", tried.sweep);
    entry.identity.emplace("tile", tried.tile);
    entry.label +=
        fmt::format(", {} {}", tried.sweep, tried.tile) + placement_label(entry.identity);
    entry.unit = "ms";
    entry.value = scaled(*tried.sweep_seconds, milli);
    entry.of_limit = tried.fraction;
    entry.primary = true;
    entries.push_back(entry);
  }
  return entries;
}

std::vector<Entry> entries_of(const himeno::Result& run) {
  std::vector<Entry> entries{speed(run), base(run), base(run)};
  entries[1].table = "himeno: end to end";
  entries[1].unit = "GFLOPS";
  entries[1].value = alone(mega * run.mflops_end_to_end);
  entries[2].table = "himeno: one sweep";
  entries[2].unit = "ms";
  entries[2].value = scaled(run.sweep_seconds.spread, milli);
  for (Entry& entry : entries) entry.label += placement_label(entry.identity);
  for (const auto& [phase, seconds] : run.phases) {
    if (seconds < short_phase) continue;
    Entry entry = base(run);
    entry.table = "himeno: phases";
    entry.label += placement_label(entry.identity) + ": " + phase;
    entry.identity.emplace("phase", phase);
    entry.unit = "s";
    entry.value = alone(seconds);
    entries.push_back(entry);
  }
  return entries;
}

}  // namespace memstencil::compare
