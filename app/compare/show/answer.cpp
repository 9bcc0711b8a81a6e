// The whole answer as one JSON object, and its rows: sides, rankings, cases.
#include "app/compare/show/answer.hpp"

#include "app/compare/predict/applications.hpp"
#include "app/compare/read/number_text.hpp"
#include "app/compare/read/tree.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

namespace memstencil::compare {

namespace {

/// Points of a series that are drawn: more cannot be seen.
constexpr std::size_t most_points = 400;

/// The description's figure that bounds what a limit of this kind measures, in GB/s.
std::optional<double> theory_of_limit(const Side& side, const Sample& s) {
  if (!side.description || s.ranks > 1) return {};  // several ranks may have run on several
  if (s.limit_kind == "copy")
    return side.description->gbs(s.by_gpu() ? "device_memory" : "host_memory");
  if (s.limit_kind == "read stream") return side.description->gbs("host_memory");
  if (!s.limit_kind.starts_with("link")) return {};
  const auto in = side.description->gbs("link_host_to_device");
  const auto out = side.description->gbs("link_device_to_host");
  if (s.step == "sweep") return in;
  return in && out ? std::optional(*in + *out) : std::nullopt;  // a transpose goes both ways
}

/// Numbers and seconds of steps: the first ones all, since pages move there.
Record series_of(const Sample& s) {
  Record steps = Record::array(), seconds = Record::array();
  const double every = static_cast<double>(s.steps) / static_cast<double>(s.series.size());
  const std::size_t skip = std::max<std::size_t>(1, s.series.size() / most_points);
  for (std::size_t n = 0; n < s.series.size(); ++n) {
    if (n > most_points / 4 && n % skip != 0) continue;
    steps.push_back(std::round(every * static_cast<double>(n)) + 1);
    seconds.push_back(s.series[n]);
  }
  return {{"step", steps}, {"seconds", seconds}};
}

Record case_row(const Side& side, const Group& group) {
  const Sample& s = group.middle();
  const auto theory = theory_of_limit(side, s);
  const auto gpu_memory = s.by_gpu() && s.ranks == 1
                              ? number_if(s.run->record, "machine.gpu.memory_bytes")
                              : std::nullopt;
  const bool limited = s.limit > 0;
  Record parts = Record::object();
  for (const Part part : all_parts) parts[name(part)] = s.at(s.steps)[part];
  const auto energy_figure = [&](const char* path) {
    return s.energy == nullptr ? Record() : or_null(number_if(*s.energy, path));
  };
  return {
      {"side", side.name},
      {"case", label(group.what)},
      {"program", group.what.program},
      {"problem", problem_label(group.what)},
      {"memory", memory_label(group.what)},
      {"task", task_of(group)},
      {"kind", kind_of(group)},
      {"without_size", group.what.program + " " + joined(without(group.what.problem, {"size"}))},
      {"variant", value_of(group.what.problem, "variant")},
      {"runs", group.samples.size()},
      {"half_width", or_null(half_width(times_of(group, s.steps)))},
      {"ranks", s.ranks},
      {"nodes", s.nodes},
      {"step", s.step},
      {"steps", s.steps},
      {"bytes", s.bytes},
      {"of_gpu_memory", gpu_memory ? Record(s.bytes / *gpu_memory) : Record()},
      {"seconds", s.seconds()},
      {"median_step", s.median},
      {"first_step", s.first},
      {"speed", s.speed},
      {"speeds", group.speeds()},
      {"unit", s.unit},
      {"bandwidth_gbs", s.bandwidth},
      {"limit", limited ? Record(s.limit_kind) : Record()},
      {"limit_gbs", limited ? Record(s.limit) : Record()},
      {"limit_speed", limited ? Record(s.speed * s.limit / s.bandwidth) : Record()},
      {"fraction", limited ? Record(s.fraction) : Record()},
      {"fraction_of_theory", theory ? Record(s.bandwidth / *theory) : Record()},
      {"joules_a_step", energy_figure("gpus.joules_per_iteration")},
      {"mean_watts", energy_figure("gpus.mean_watts")},
      {"gflops_a_watt", energy_figure("gpus.gflops_per_watt")},
      {"pages", pages_text(s)},
      {"prediction", s.predicted ? s.run->record.at("prediction") : Record()},
      {"parts", parts},
      {"series", s.step == "sweep" ? series_of(s) : Record()}};
}

Record side_rows(const std::vector<Side>& sides) {
  Record rows = Record::array();
  for (const Side& side : sides) {
    std::set<std::string> gpus = side.values("machine.gpu.name"), files;
    gpus.erase("");
    std::set<int> cores;
    for (const Run* run : side.runs) {
      if (const auto known = number_if(run->record, "machine.cpu.cores"))
        cores.insert(static_cast<int>(*known));
      files.insert(run->folder.empty() ? run->file : run->folder);
    }
    const Record& first = side.runs.front()->record;
    rows.push_back(
        {{"side", side.name},
         {"gpu", fmt::format("{}", fmt::join(gpus, " or "))},
         {"processor", fmt::format("{}", fmt::join(side.values("machine.cpu.model"), " or "))},
         {"cores", cores},
         {"gpu_memory_bytes", or_null(number_if(first, "machine.gpu.memory_bytes"))},
         {"l2_bytes", or_null(number_if(first, "machine.gpu.l2_bytes"))},
         {"multiprocessors", or_null(number_if(first, "machine.gpu.multiprocessors"))},
         {"sm_clock_mhz", or_null(number_if(first, "machine.gpu.nvidia_smi.max_sm_clock_mhz"))},
         {"hosts", side.values("machine.hostname")},
         {"files", files},
         {"runs", side.runs.size()}});
  }
  return rows;
}

Record ranking_rows(const std::vector<Side>& sides, const std::vector<Problem>& problems) {
  Record rows = Record::array();
  for (const Problem& problem : problems)
    for (std::size_t s = 0; s < sides.size(); ++s)
      for (const Ranked& each : problem.sides[s])
        rows.push_back({{"problem", problem.label},
                        {"task", problem.task},
                        {"kind", problem.kind},
                        {"steps", problem.steps},
                        {"memory", each.memory},
                        {"case", label(each.group->what)},
                        {"side", sides[s].name},
                        {"seconds", each.seconds},
                        {"step_seconds", each.step},
                        {"once", each.once},
                        {"extrapolated", each.extrapolated},
                        {"to_best", each.to_best},
                        {"to_base", or_null(each.to_base)}});
  return rows;
}

Record case_rows(const std::vector<Side>& sides) {
  Record rows = Record::array();
  for (const Side& side : sides)
    for (const Group& group : side.groups) rows.push_back(case_row(side, group));
  return rows;
}

/// The headline, and where to put arrays.
void add_sentences(Record& answer) {
  Record& sentences = answer["sentences"] = answer["screen"]["headline"];
  if (const Record& where = answer["screen"]["placement"]; where != "") sentences.push_back(where);
}

}  // namespace

Answer answer_of(const std::vector<Side>& sides, const std::vector<Reference>& references,
                 bool all) {
  const std::vector<Problem> problems = problems_of(sides);
  const Record cases = case_rows(sides), probes = probe_rows_of(sides),
               pairs = probe_pairs(probes, sides.front().name);
  std::vector<std::string> names;
  for (const Side& side : sides) names.push_back(side.name);
  Answer answer{{{"schema", "memstencil-comparison"},
                 {"schema_version", 3},
                 {"program", "memcompare"},
                 {"title", fmt::format("memstencil: {}", fmt::join(names, " and "))},
                 {"base", names.front()},
                 {"sides", side_rows(sides)},
                 {"published", published_rows(references, sides)},
                 {"probe_pairs", pairs}}};
  if (all) {
    const auto first = [&](auto&& of) {
      return problems.empty() ? Record() : Record(of(problems.front()));
    };
    answer.every = every_problem(sides, problems);
    answer.record.update(
        {{"problem", first(std::mem_fn(&Problem::label))},
         {"problem_title", first(std::mem_fn(&Problem::title))},
         {"task", first(std::mem_fn(&Problem::task))},
         {"ranking", ranking_rows(sides, problems)},
         {"left_out", problems.empty() ? Record::array() : Record(problems.front().left_out)},
         {"notes", notes_of(sides)},
         {"facts", fact_rows(sides)},
         {"cases", cases},
         {"scaling", scaling_rows(sides)},
         {"model", model_rows(sides)},
         {"probes", probes},
         {"predictions", Record()}});
  }
  Record& screen = answer.record["screen"] = screen_of(sides, problems);
  screen["also"] = also_of(problems, names, pairs);
  screen["know"] = know_of(sides, problems);
  add_sentences(answer.record);
  return answer;
}

Answer answer_of(const Predictions& predictions, const std::vector<Reference>& references) {
  Answer answer = answer_of(sides_of(predictions.runs, {}), references, true);
  Record &record = answer.record, &screen = record["screen"];
  for (Record& block : screen["blocks"])
    block["title"] = "PREDICTION, not measured: " + text(block, "title");
  if (screen["headline"].empty())
    screen["headline"].push_back("Nothing is predicted: \"Left out\" has the reasons.");
  if (predictions.about.at("steps_alone") == true)
    screen["headline"].insert(screen["headline"].begin(),
                              "Predicted are steps alone: wall times need figures that these "
                              "descriptions do not have.");
  screen["know"] = predictions.notes;
  if (!predictions.left_out.empty())
    screen["know"].push_back(fmt::format("Left out: {}.", fmt::join(predictions.left_out, "; ")));
  record.update({{"title", "memstencil: predictions from descriptions"},
                 {"notes", predictions.notes},
                 {"left_out", predictions.left_out},
                 {"facts", Record::array()},
                 {"scaling", predictions.scaling},
                 {"predictions", predictions.about}});
  for (const std::string& note : predictions.unpublished) record["notes"].push_back(note);
  add_sentences(record);
  return answer;
}

std::string slower_than_allowed(const std::vector<Side>& sides, double allowed) {
  const Side &base = sides.front(), &last = sides.back();
  const auto refuse = [&](const std::string& why) {
    throw Failure(ExitCode::Usage, "--fail-above: " + why);
  };
  if (sides.size() < 2) refuse("there is one side, " + base.name + ": name two");
  std::vector<Pair> pairs = pairs_of(base, last);
  if (pairs.empty()) refuse(fmt::format("{} has no case in common with {}", last.name, base.name));
  std::erase_if(pairs, [](const Pair& pair) { return pair.interval.lone > 0; });
  if (pairs.empty())
    refuse(
        "one process of a case shows no spread between processes: run each command at least twice "
        "(jobscripts/pair.sh does)");
  const std::size_t compared = pairs.size();
  std::set<const Group*> of_base;
  for (const Pair& pair : pairs) of_base.insert(pair.base);
  if (of_base.size() < base.groups.size())
    fmt::print(stderr, "memcompare: {} of {} cases of {} have two processes on both sides\n",
               of_base.size(), base.groups.size(), base.name);
  std::erase_if(pairs, [&](const Pair& pair) { return pair.interval.low <= 1 + allowed; });
  if (pairs.empty()) return "";
  const Pair& worst =
      *std::ranges::max_element(pairs, {}, [](const Pair& pair) { return pair.interval.low; });
  return fmt::format(
      "{} is slower than {} by more than {:.3g} % in {} of {} cases; the worst, {}, takes {} "
      "longer, at least {}",
      last.name, base.name, 100 * allowed, pairs.size(), compared, worst.label,
      percent(worst.interval.value - 1), percent(worst.interval.low - 1));
}

}  // namespace memstencil::compare
