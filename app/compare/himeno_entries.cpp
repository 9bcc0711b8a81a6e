// What is compared of a himeno run: speed, time of a sweep, phases; of --tune, each kind of sweep.
#include "app/compare/entry.hpp"

#include "app/common/failure.hpp"
#include "app/compare/table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace memstencil::compare {

namespace {

constexpr double mega = 1e-3;         // MFLOPS to GFLOPS
constexpr double short_phase = 1e-4;  // s: under it a phase explains nothing

Spread scaled(const Run& run, const std::string& path, double factor) {
  return {factor * run.number(path + ".min"), factor * run.number(path + ".median"),
          factor * run.number(path + ".max")};
}

/// Three whole numbers from `least`: what divides by them, or counts by them, can rely on it.
void check_triple(const Run& run, const std::string& path, double least) {
  const std::vector<double> numbers = run.numbers(path);
  if (numbers.size() != 3 ||
      std::any_of(numbers.begin(), numbers.end(), [least](double n) { return n < least; }))
    throw Failure(ExitCode::Other, fmt::format("cannot use {}: its '{}' is not three numbers from {} on",
                                               run.where(), path, least));
}

void check_shape(const Run& run) {
  check_triple(run, "extents", 3);
  check_triple(run, "ranks", 1);
  if (run.number("iterations") < 1)
    throw Failure(ExitCode::Other, fmt::format("cannot use {}: its 'iterations' is under 1", run.where()));
}

Entry base(const Run& run) {
  const Record* coefficients = run.find("options.coefficients");
  const Record* seconds = run.find("options.seconds");
  Entry entry{.program = "himeno", .identity = {{"size", run.text("size")}}};
  entry.requested = requested_memory(run);
  if (coefficients != nullptr) entry.identity["coefficients"] = *coefficients;
  entry.identity["ranks"] = fmt::format("{}", fmt::join(run.numbers("ranks"), "x"));
  entry.label = entry.identity["size"].get<std::string>();
  if (run.find("tune") == nullptr) {
    // With --seconds the number of sweeps is the machine's; otherwise it is part of the case, since
    // what migrates in the first sweeps weighs less among more of them.
    const Record iterations =
        seconds == nullptr ? Record(run.number("iterations")) : Record(seconds->dump() + " s");
    entry.identity["iterations"] = iterations;
    entry.identity["sweep"] = run.text("sweep");
    entry.label += ", " + run.text("sweep");
    entry.label += seconds == nullptr ? fmt::format(" x {}", iterations.get<double>())
                                      : ", for " + iterations.get<std::string>();
  }
  if (entry.identity["ranks"] != "1x1x1")
    entry.label += ", ranks " + entry.identity["ranks"].get<std::string>();
  entry.identity.update(placement_identity(run));
  return entry;
}

std::vector<Entry> tuned(const Run& run) {
  std::vector<Entry> entries;
  for (const Record& row : run.objects("tune")) {
    if (!row.contains("sweep_seconds")) continue;
    const Run part{run.file, run.name, row};
    Entry entry = base(run);
    entry.table = "himeno: kinds of sweep tried by --tune";
    entry.identity["sweep"] = part.text("sweep");
    entry.identity["tile"] = part.text("tile");
    entry.label +=
        fmt::format(", {} {}", part.text("sweep"), part.text("tile")) + placement_label(entry.identity);
    entry.unit = "ms";
    entry.value = scaled(part, "sweep_seconds", milli);
    entry.of_limit = part.number("fraction");
    entry.primary = true;
    entries.push_back(entry);
  }
  return entries;
}

/// Which figure of a machine's description the limit of a run is the measured side of; empty: none.
std::vector<std::string> theory_of_limit(const std::string& kind) {
  if (kind == "copy") return {"device_memory"};
  if (kind == "link") return {"link_host_to_device"};
  return kind == "read stream" ? std::vector<std::string>{"host_memory"} : std::vector<std::string>{};
}

Entry speed(const Run& run) {
  Entry entry = base(run);
  entry.table = "himeno: speed";
  entry.unit = "GFLOPS";
  const double rate = mega * run.number("mflops");
  entry.value =
      run.find("mflops_spread") != nullptr ? scaled(run, "mflops_spread", mega) : Spread{rate, rate, rate};
  entry.of_limit = run.number("limit.fraction");
  entry.bandwidth = run.number("bandwidth_gbs");
  // Theory is a machine's; several ranks may have run on several.
  if (entry.identity["ranks"] == "1x1x1") entry.theory = theory_of_limit(run.text("limit.kind"));
  entry.primary = true;
  return entry;
}

}  // namespace

std::vector<Entry> himeno_entries(const Run& run) {
  if (run.find("tune") != nullptr) return tuned(run);
  check_shape(run);
  std::vector<Entry> entries{speed(run), base(run), base(run)};
  entries[1].table = "himeno: end to end";
  entries[1].unit = "GFLOPS";
  const double whole = mega * run.number("mflops_end_to_end");
  entries[1].value = {whole, whole, whole};
  entries[2].table = "himeno: one sweep";
  entries[2].unit = "ms";
  entries[2].value = scaled(run, "sweep_seconds", milli);
  run.numbers("sweeps.seconds");  // the plots read them
  for (Entry& entry : entries) entry.label += placement_label(entry.identity);
  for (const auto& [phase, seconds] : run.object("phases").items()) {
    Entry entry = base(run);
    entry.table = "himeno: phases";
    entry.label += placement_label(entry.identity) + ": " + phase;
    entry.identity["phase"] = phase;
    entry.unit = "s";
    const double time = run.number("phases." + phase);
    entry.value = {time, time, time};
    if (time >= short_phase) entries.push_back(entry);
  }
  return entries;
}

}  // namespace memstencil::compare
