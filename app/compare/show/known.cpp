// "Is this normal?": a machine's results next to the kept sample of the same GPU.
#include "app/base/record/text_report.hpp"
#include "app/compare/show/show.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>

namespace memstencil::compare {

namespace {

namespace fs = std::filesystem;

/// Kept samples come from more than one host: a ratio this near to 1 is normal without an interval.
constexpr double near = 0.05;

/// "NVIDIA H100 80GB HBM3 (85.02 GB, 700 W)"
std::string gpu_of(const Run& run) {
  const Record& record = run.record;
  const std::string name = text_or(record, "machine.gpu.name");
  if (name.empty()) return "a host without a GPU";
  const double watts = number_or(record, "machine.gpu.nvidia_smi.power_limit_watts", 0);
  return fmt::format("{} ({}, {})", name,
                     bytes_text(number_or(record, "machine.gpu.memory_bytes", 0)),
                     watts > 0 ? fmt::format("{:.0f} W", watts) : "power limit not recorded");
}

Record row_of(const std::string& what, double mine, double known, const std::string& unit,
              const Ratio& ratio) {
  const bool close = std::abs(ratio.value - 1) <= near,
             includes_1 = ratio.measured() && !ratio.told();
  const bool one_run = !ratio.measured() && unit == "s";  // a probe's rate has no interval here
  return {{"figure", what},
          {"mine", mine},
          {"known", known},
          {"unit", unit},
          {"times_as_fast", ratio.value},
          {"low", ratio.measured() ? Record(ratio.low) : Record()},
          {"high", ratio.measured() ? Record(ratio.high) : Record()},
          {"verdict", close || includes_1 ? "normal"
                      : one_run           ? "not told: one run each"
                      : ratio.value > 1   ? "faster"
                                          : "slower"}};
}

/// Wall times, like with like.
void add_runs(const std::vector<Side>& sides, Record& rows) {
  for (const Problem& problem : problems_of(sides))
    for (const Ranked& here : problem.sides[1]) {
      const auto there = std::ranges::find_if(problem.sides[0], [&](const Ranked& each) {
        return in_one_memory(each.group->what, here.group->what);
      });
      if (there == problem.sides[0].end()) continue;
      rows.push_back(row_of(fmt::format("{}, {}{} {}s, {}", problem.label,
                                        here.extrapolated || there->extrapolated ? "~" : "",
                                        problem.steps, problem.step, here.memory),
                            here.seconds, there->seconds, "s", times_as_fast(here, *there)));
    }
}

/// Rates of the link and of device memory, and its latency.
void add_rates(const std::vector<Side>& sides, Record& rows) {
  const std::string &known = sides[0].name, &mine = sides[1].name;
  constexpr std::array shown{"pinned, HtoD, copy",   "pinned, DtoH, copy",
                             "pinned, read, kernel", "device, device copy",
                             "device, read",         "global, device, device, memory"};
  for (const Record& pair : probe_pairs(probe_rows_of(sides), known)) {
    const std::string label = text(pair, "row"), probe = text(pair, "probe");
    const Record ratio = pair.at("to_base").value(mine, Record());
    if (ratio.is_null() || (probe != "link" && probe != "latency") ||
        std::ranges::none_of(shown,
                             [&](const char* each) { return label.find(each) != label.npos; }))
      continue;
    const double times = ratio.get<double>();
    rows.push_back(row_of(probe + ", " + label, pair.at("values").at(mine),
                          pair.at("values").at(known), text(pair, "unit"),
                          {.value = probe == "link" ? times : 1 / times}));
  }
}

/// The runs of the kept sample of the GPU that `mine` used: equal in name, memory and power limit;
/// of several samples the first by name.
/// @throws Failure(Machine) if none is kept: the line names those that are; as read_runs()
std::vector<Run> known_runs(const std::vector<Run>& mine, const fs::path& kept) {
  const std::string gpu = gpu_of(mine.front());
  for (const Run& run : mine)
    if (const std::string other = gpu_of(run); other != gpu)
      throw Failure(
          ExitCode::Usage,
          fmt::format("--known takes results of one GPU: these are of {} and of {}", gpu, other));
  std::set<std::string> others;
  for (const fs::path& sample : std::set<fs::path>{fs::directory_iterator(kept), {}}) {
    const std::set<fs::path> files{fs::directory_iterator(sample), {}};
    if (files.empty()) continue;
    const std::string other = gpu_of(read_runs({*files.begin()}).front());
    others.insert(other);
    if (other == gpu)
      return read_runs({"kept " + sample.filename().string() + "=" + sample.string()});
  }
  throw Failure(ExitCode::Machine,
                fmt::format("--known: no sample of {} is kept; kept are samples of {}. memcompare "
                            "takes a sample's folder in {}, too; CONTRIBUTING.md says how to "
                            "send yours",
                            gpu, fmt::join(others, " and "), kept.string()));
}

}  // namespace

Record known_record(std::vector<Run> runs, const std::vector<MachineDescription>& machines) {
  const std::vector<Run> kept = known_runs(runs, shared_file("reference/samples"));
  runs.insert(runs.begin(), kept.begin(), kept.end());
  const std::vector<Side> sides = sides_of(runs, machines);
  if (sides.size() != 2)
    throw Failure(ExitCode::Usage, "--known takes one side: name one folder, or NAME=FILE ...");
  const Side &known = sides[0], &mine = sides[1];
  Record rows = Record::array();
  add_runs(sides, rows);
  add_rates(sides, rows);
  for (const auto& [kind, command] :
       {std::pair("himeno", "himeno --size XL --iterations 100 --repeat 3"),
        {"link", "membench link"}})
    if (std::ranges::none_of(
            rows, [&](const Record& row) { return text(row, "figure").starts_with(kind); }))
      throw Failure(ExitCode::Machine,
                    fmt::format("--known: {} and {} have no figure of {} in common: run {} "
                                "--output FOLDER/ and name that folder",
                                mine.name, known.name, kind, command));
  const auto normal =
      std::ranges::count(rows, "normal", [](const Record& row) { return text(row, "verdict"); });
  return {{"schema", "memstencil-known"},
          {"schema_version", 1},
          {"mine", mine.name},
          {"known", known.name},
          {"gpu", known.gpu()},
          {"normal", normal},
          {"figures", rows},
          {"facts", fact_rows(sides)}};
}

std::vector<Section> known_sections(const Record& record) {
  std::vector<std::string> facts = sentences_of(record.at("facts"));
  if (facts.empty()) facts.emplace_back("none that is recorded");
  return {{.title = fmt::format("{} next to {} ({})", text(record, "mine"), text(record, "known"),
                                text(record, "gpu")),
           .sentences = {fmt::format("{} of {} figures are normal: the 95 % interval of the ratio "
                                     "includes 1, or the ratio differs from 1 by at most 5 %.",
                                     text(record, "normal"), record.at("figures").size())},
           .table = table_of(record.at("figures"),
                             {"figure", "mine", "known", "unit", "times_as_fast", "verdict"})},
          {.title = "Settings that differ", .sentences = facts}};
}

}  // namespace memstencil::compare
