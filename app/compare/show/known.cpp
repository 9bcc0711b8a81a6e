// "Is this normal?": a machine's results next to the kept sample of the same GPU.
#include "app/compare/show/known.hpp"

#include "app/base/record/text_report.hpp"
#include "app/compare/judge/best.hpp"
#include "app/compare/judge/facts.hpp"
#include "app/compare/read/number_text.hpp"
#include "app/compare/read/tree.hpp"
#include "app/compare/show/probe_rows.hpp"

#include <fmt/format.h>

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

struct Gpu {
  std::string name;
  double memory_bytes = 0, watts = 0;

  bool operator==(const Gpu&) const = default;
  std::string in_words() const {
    if (name.empty()) return "a host without a GPU";
    return fmt::format("{} ({}, {})", name, bytes_text(memory_bytes),
                       watts > 0 ? fmt::format("{:.0f} W", watts) : "power limit not recorded");
  }
};

Gpu gpu_of(const std::vector<Run>& runs) {
  const Record& record = runs.front().record;
  return {text_or(record, "machine.gpu.name"), number_or(record, "machine.gpu.memory_bytes", 0),
          number_or(record, "machine.gpu.nvidia_smi.power_limit_watts", 0)};
}

using Kept = std::pair<fs::path, Gpu>;

/// @throws Failure(Other) if there is none
std::vector<Kept> kept_in(const fs::path& folder) {
  std::vector<Kept> all;
  for (const auto& sample : fs::directory_iterator(folder)) {
    std::set<fs::path> files;
    for (const auto& each : fs::directory_iterator(sample.path())) files.insert(each.path());
    if (!files.empty()) all.push_back({sample.path(), gpu_of(read_runs({*files.begin()}))});
  }
  if (all.empty())
    throw Failure(ExitCode::Other, fmt::format("--known: no sample is in {}", folder.string()));
  std::ranges::sort(all, {}, &Kept::first);
  return all;
}

/// The sample of the same model, otherwise of the memory that is the most alike.
const Kept& nearest(const std::vector<Kept>& kept, const Gpu& gpu) {
  return *std::ranges::min_element(kept, {}, [&](const Kept& each) {
    return std::pair(each.second.name != gpu.name,
                     std::abs(each.second.memory_bytes - gpu.memory_bytes));
  });
}

/// Cases of the samples in `runs`, whatever the machine.
std::set<std::string> cases_of(const std::vector<Run>& runs) {
  std::set<std::string> labels;
  for (const Run& run : runs)
    for (const Sample& sample : samples_of(run)) labels.insert(label(sample.what));
  return labels;
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

/// Wall times, like with like. @returns how many of himeno
int add_runs(const std::vector<Side>& sides, Record& rows) {
  int himeno = 0;
  for (const Problem& problem : problems_of(sides, 0))
    for (const Ranked& here : problem.sides[1]) {
      const auto there = std::ranges::find_if(problem.sides[0], [&](const Ranked& each) {
        return in_one_memory(each.group->what, here.group->what);
      });
      if (there == problem.sides[0].end()) continue;
      rows.push_back(row_of(
          fmt::format("{}, {} {}s, {}", problem.label, problem.steps, problem.step, here.memory),
          here.seconds, there->seconds, "s",
          times_as_fast({&here, &problem}, {&*there, &problem})));
      himeno += here.group->what.program == "himeno" ? 1 : 0;
    }
  return himeno;
}

/// Rates of the link and of device memory, and its latency. @returns how many of link
int add_rates(const std::vector<Side>& sides, Record& rows) {
  const std::string &known = sides[0].name, &mine = sides[1].name;
  constexpr std::array shown{"pinned, HtoD, copy",   "pinned, DtoH, copy",
                             "pinned, read, kernel", "device, device copy",
                             "device, read",         "global, device, device, memory"};
  int link = 0;
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
    link += probe == "link" ? 1 : 0;
  }
  return link;
}

}  // namespace

std::vector<Run> known_runs(const std::vector<Run>& mine, const fs::path& kept) {
  const Gpu gpu = gpu_of(mine);
  for (const Run& run : mine)
    if (const std::string other = text_or(run.record, "machine.gpu.name"); other != gpu.name)
      throw Failure(ExitCode::Usage,
                    fmt::format("--known takes results of one GPU: these are of '{}' and of '{}'",
                                gpu.name, other));
  const std::vector<Kept> all = kept_in(kept);
  const std::set<std::string> own = cases_of(mine);
  std::vector<Run> best;
  std::ptrdiff_t most = -1;
  for (const Kept& each : all) {
    if (each.second != gpu) continue;
    std::vector<Run> runs = read_runs({each.first.filename().string() + "=" + each.first.string()});
    if (std::ranges::all_of(runs, [](const Run& run) { return run.probe_rows.empty(); })) continue;
    const std::set<std::string> cases = cases_of(runs);
    const auto common =
        std::ranges::count_if(own, [&](const std::string& one) { return cases.contains(one); });
    if (common > most) most = common, best = std::move(runs);
  }
  if (!best.empty()) return best;
  const Kept& other = nearest(all, gpu);
  throw Failure(ExitCode::Machine,
                fmt::format("--known: no sample of {} is kept; the nearest one is {} of {}: "
                            "memcompare {} FOLDER. CONTRIBUTING.md says how to send yours",
                            gpu.in_words(), other.first.filename().string(),
                            other.second.in_words(), other.first.string()));
}

Record known_record(const std::vector<Side>& sides) {
  const Side &known = sides[0], &mine = sides[1];
  Record rows = Record::array();
  const int himeno = add_runs(sides, rows), link = add_rates(sides, rows);
  if (himeno == 0 || link == 0)
    throw Failure(
        ExitCode::Machine,
        fmt::format("--known: {} and {} have no {} in common: run {} and name that folder",
                    mine.name, known.name, himeno == 0 ? "run of himeno" : "rate of the link",
                    himeno == 0 ? "himeno --size XL --iterations 100 --repeat 3 --output FOLDER/"
                                : "membench link --output FOLDER/"));
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
  const std::string mine = text(record, "mine"), known = text(record, "known");
  Section figures{
      .title = fmt::format("{} next to the kept sample {} ({})", mine, known, text(record, "gpu")),
      .sentences = {fmt::format("{} of {} figures are normal: the 95 % interval of the ratio "
                                "includes 1, or the ratio differs from 1 by at most 5 %.",
                                text(record, "normal"), record.at("figures").size())},
      .tables =
          table_of(record.at("figures"), "",
                   {{"figure"}, {"mine"}, {"known"}, {"unit"}, {"times_as_fast"}, {"verdict"}})};
  Section facts{.title = "Settings that differ", .sentences = sentences_of(record.at("facts"))};
  if (facts.empty()) facts.sentences.emplace_back("none that is recorded");
  return {figures, facts};
}

}  // namespace memstencil::compare
