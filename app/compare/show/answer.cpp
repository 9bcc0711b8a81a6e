// The whole answer as one JSON object, and its rows: sides, rankings, cases, scaling.
#include "app/compare/show/show.hpp"

#include "app/compare/predict/applications.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>

namespace memstencil::compare {

namespace {

/// Points or rows a rank, to within the rounding of uneven blocks: weak scaling keeps them.
std::string block_of(const Sample& sample) {
  const Record& record = sample.run->record;
  if (find(record, "extents") == nullptr)
    return fmt::format("{:.0f} rows a rank x {}", number(record, "rows") / sample.ranks,
                       text(record, "columns"));
  const std::vector<double> extents = numbers(record, "extents"), ranks = numbers(record, "ranks");
  double points = 1e-6;
  for (std::size_t d = 0; d < extents.size() && d < ranks.size(); ++d)
    points *= std::round(extents[d] / ranks[d]);
  // A decomposition that turns the block is the same work.
  return fmt::format("{:.3g} million points a rank", points);
}

/// What all points of a curve share. Threads are none of it: more ranks on the same cores have
/// fewer each.
std::string curve_of(const Group& group, bool weak) {
  Case shared = group.what;
  shared.problem = without(shared.problem, {"ranks"});
  if (weak) {
    shared.problem = without(shared.problem, {"size"});
    shared.problem.insert(shared.problem.begin(), {"size", block_of(group.middle())});
  }
  shared.memory = without(shared.memory, {"threads", "messages"});
  return label(shared);
}

/// The fastest group of each number of ranks, curve by curve.
std::map<std::string, std::map<int, const Group*>> curves_of(const Side& side, bool weak) {
  std::map<std::string, std::map<int, const Group*>> curves;
  for (const Group& group : side.groups) {
    if (value_of(group.what.problem, "variant") == "copy") continue;  // it sends no messages
    const Group*& known = curves[curve_of(group, weak)][group.middle().ranks];
    if (known == nullptr || group.middle().speed > known->middle().speed) known = &group;
  }
  std::erase_if(curves, [](const auto& curve) { return curve.second.size() < 2; });
  return curves;
}

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
  const auto if_limited = [&](const Record& value) { return s.limit > 0 ? value : Record(); };
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
      {"limit", if_limited(s.limit_kind)},
      {"limit_gbs", if_limited(s.limit)},
      {"limit_speed", if_limited(s.speed * s.limit / s.bandwidth)},
      {"fraction", if_limited(s.fraction)},
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

/// The headline, and where to put arrays.
void add_sentences(Record& answer) {
  Record& sentences = answer["sentences"] = answer["screen"]["headline"];
  if (const Record& where = answer["screen"]["placement"]; where != "") sentences.push_back(where);
}

/// Strong and weak scaling: runs of one problem that differ in their number of ranks. Curve by
/// curve, rising in ranks; of several paths of the messages the fastest.
void add_scaling(const Side& side, bool weak, Record& rows) {
  const ProbedRates probed = model::probed_rates(side.runs);
  for (const auto& [curve, groups] : curves_of(side, weak))
    for (const auto& [ranks, group] : groups) {
      const Sample &s = group->middle(), &first = groups.begin()->second->middle();
      const model::Prediction prediction = predict(side, probed, s);
      const double speedup = s.bandwidth / first.bandwidth;  // it counts every updated point
      const double efficiency = speedup * first.processors / s.processors;
      rows.push_back({{"side", side.name},
                      {"scaling", weak ? "weak" : "strong"},
                      {"curve", curve},
                      {"ranks", s.ranks},
                      {"nodes", s.nodes},
                      {"processors", static_cast<int>(s.processors)},
                      {"messages", value_of(group->what.memory, "messages")},
                      {"rate", s.speed},
                      {"rates", group->speeds()},
                      {"unit", s.unit},
                      {"speedup", speedup},  // of weak scaling T1 / Tn times the work
                      {"efficiency", efficiency},
                      {"perfect_rate", s.speed / efficiency},
                      {"exposed_messages", or_null(s.exposed)},
                      {"predicted", or_null(predicted_rate(prediction, s))},
                      {"not_predicted", prediction.why_not()}});
    }
}

}  // namespace

Record answer_of(const std::vector<Side>& sides, const std::vector<Reference>& references) {
  const std::vector<Problem> problems = problems_of(sides);
  const Record probes = probe_rows_of(sides), pairs = probe_pairs(probes, sides.front().name);
  std::vector<std::string> names;
  for (const Side& side : sides) names.push_back(side.name);
  Record cases = Record::array(), scaling = Record::array();
  for (const Side& side : sides) {
    for (const Group& group : side.groups) cases.push_back(case_row(side, group));
    for (const bool weak : {false, true}) add_scaling(side, weak, scaling);
  }
  const auto first = [&](auto&& of, const Record& none = {}) {
    return problems.empty() ? none : Record(std::invoke(of, problems.front()));
  };
  Record answer{{"schema", "memstencil-comparison"},
                {"schema_version", 3},
                {"program", "memcompare"},
                {"title", fmt::format("memstencil: {}", fmt::join(names, " and "))},
                {"base", names.front()},
                {"sides", side_rows(sides)},
                {"published", published_rows(references, sides)},
                {"probe_pairs", pairs},
                {"problem", first(&Problem::label)},
                {"problem_title", first(&Problem::title)},
                {"task", first(&Problem::task)},
                {"ranking", ranking_rows(sides, problems)},
                {"left_out", first(&Problem::left_out, Record::array())},
                {"notes", notes_of(sides)},
                {"facts", fact_rows(sides)},
                {"cases", cases},
                {"scaling", scaling},
                {"model", model_rows(sides)},
                {"probes", probes},
                {"predictions", Record()},
                {"placements", every_problem(sides, problems)},
                {"screen", screen_of(sides, problems)}};
  answer["screen"]["also"] = also_of(problems, names, pairs);
  answer["screen"]["know"] = know_of(sides, problems);
  add_sentences(answer);
  return answer;
}

Record answer_of(const Predictions& predictions, const std::vector<Reference>& references) {
  Record answer = answer_of(sides_of(predictions.runs, {}), references);
  Record& screen = answer["screen"];
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
  answer.update({{"title", "memstencil: predictions from descriptions"},
                 {"notes", predictions.notes},
                 {"left_out", predictions.left_out},
                 {"facts", Record::array()},
                 {"scaling", predictions.scaling},
                 {"predictions", predictions.about}});
  for (const std::string& note : predictions.unpublished) answer["notes"].push_back(note);
  add_sentences(answer);
  return answer;
}

}  // namespace memstencil::compare
