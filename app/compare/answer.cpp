// The whole answer as one JSON object, from which every renderer draws.
#include "app/compare/answer.hpp"

#include "app/compare/case_row.hpp"
#include "app/compare/energy.hpp"
#include "app/compare/facts.hpp"
#include "app/compare/model_rows.hpp"
#include "app/compare/probe_answer.hpp"
#include "app/compare/ranking.hpp"
#include "app/compare/reasons.hpp"
#include "app/compare/scaling.hpp"
#include "app/compare/tree.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace memstencil::compare {

namespace {

Record theory_of(const Side& side) {
  Record theory = Record::object();
  if (side.description)
    for (const auto& [name, figure] : side.description->figures)
      theory[name] = {{"gbs", figure.gbs}, {"measured", figure.measured}};
  return theory;
}

Record side_record(const Side& side) {
  std::set<std::string> hosts, files;
  for (const Run* run : side.runs) {
    hosts.insert(text_or(run->record, "machine.hostname"));
    files.insert(run->folder.empty() ? run->file : run->folder);
  }
  const Record& first = side.runs.front()->record;
  const auto spread = side.spread();
  return {{"side", side.name},
          {"by", name(side.by)},
          {"gpu", side.gpu()},
          {"processor", side.processor()},
          {"cores", or_null(number_if(first, "machine.cpu.cores"))},
          {"gpu_memory_bytes", or_null(number_if(first, "machine.gpu.memory_bytes"))},
          {"l2_bytes", or_null(number_if(first, "machine.gpu.l2_bytes"))},
          {"hosts", hosts},
          {"files", files},
          {"runs", side.runs.size()},
          {"spread", spread ? Record(spread->fraction) : Record()},
          {"spread_runs", spread ? Record(spread->runs) : Record()},
          {"theory", theory_of(side)}};
}

Record ranking_rows(const std::vector<Side>& sides, const std::vector<Problem>& problems) {
  Record rows = Record::array();
  for (const Problem& problem : problems)
    for (std::size_t s = 0; s < sides.size(); ++s)
      for (const Ranked& each : problem.sides[s])
        rows.push_back({{"problem", problem.label},
                        {"steps", problem.steps},
                        {"memory", each.memory},
                        {"side", sides[s].name},
                        {"seconds", each.seconds},
                        {"to_best", each.to_best},
                        {"to_base", or_null(each.to_base)},
                        {"equal_to_best", each.equal},
                        {"reason", each.reason}});
  return rows;
}

Record case_rows(const std::vector<Side>& sides) {
  Record rows = Record::array();
  for (const Side& side : sides)
    for (const Group& group : side.groups) rows.push_back(case_row(side, group));
  return rows;
}

Record pair_rows(const std::vector<Side>& sides, std::size_t base) {
  Record rows = Record::array();
  for (const Pair& pair : pairs_of(sides, base)) {
    const Sample &here = pair.here->middle(), &there = pair.there->middle();
    const Seconds a = here.at(here.steps), b = there.at(there.steps);
    Record parts = Record::object();
    for (const Part part : all_parts) parts[name(part)] = a[part] - b[part];
    rows.push_back({{"case", label(pair.here->what)},
                    {"side", sides[pair.side].name},
                    {"base", sides[base].name},
                    {"to_base", pair.ratio},
                    {"step_to_base", here.median / there.median},
                    {"limits", or_null(pair.limits)},
                    {"fractions", or_null(pair.fractions)},
                    {"equal", std::abs(pair.ratio - 1) <= pair.noise},
                    {"more_seconds", parts},
                    {"reason", why_different(here, there, here.steps)}});
  }
  return rows;
}

Record scaling_record(const std::vector<ScalingRow>& rows, const std::vector<Side>& sides,
                      const Predictor& predictor) {
  Record out = Record::array();
  for (const ScalingRow& row : rows) {
    const Sample& sample = row.group->middle();
    const auto side = std::find_if(sides.begin(), sides.end(),
                                   [&](const Side& each) { return each.name == row.side; });
    const PredictedRun predicted =
        predictor.run(static_cast<std::size_t>(side - sides.begin()), sample);
    out.push_back({{"side", row.side},
                   {"scaling", row.weak ? "weak" : "strong"},
                   {"curve", row.curve},
                   {"ranks", row.ranks},
                   {"nodes", row.nodes},
                   {"processors", row.processors},
                   {"messages", row.messages},
                   {"rate", row.rate},
                   {"unit", row.unit},
                   {"speedup", row.speedup},
                   {"efficiency", row.efficiency},
                   {"exposed_messages", or_null(row.exposed)},
                   {"predicted", or_null(predicted.rate(sample))},
                   {"not_predicted", predicted.missing}});
  }
  return out;
}

Record energy_record(const std::vector<Side>& sides) {
  Record rows = Record::array();
  for (const EnergyRow& row : energy_rows(sides))
    rows.push_back({{"side", row.side},
                    {"case", row.label},
                    {"step", row.step},
                    {"gpu_joules", or_null(row.gpu_joules)},
                    {"host_joules", or_null(row.host_joules)},
                    {"joules_a_step", or_null(row.joules_a_step)},
                    {"mean_watts", or_null(row.watts)},
                    {"gflops_a_watt", or_null(row.gflops_a_watt)}});
  return rows;
}

Record fact_rows(const std::vector<Side>& sides) {
  Record rows = Record::array();
  for (const Fact& fact : differing_facts(sides)) {
    Record values = Record::object();
    for (std::size_t s = 0; s < sides.size(); ++s)
      values[sides[s].name] = fmt::format("{}", fmt::join(fact.values[s], "; "));
    rows.push_back({{"fact", fact.name}, {"values", values}});
  }
  return rows;
}

Record published_rows(const std::vector<Published>& all) {
  Record rows = Record::array();
  for (const Published& each : all) {
    const PublishedFigure& figure = *each.figure;
    const bool found = !each.side.empty();
    rows.push_back({{"source", each.reference->title},
                    {"citation", each.reference->source},
                    {"program", figure.program},
                    {"probe", figure.probe},
                    {"where", figure.where},
                    {"note", figure.note},
                    {"low", figure.low},
                    {"high", std::isinf(figure.high) ? Record() : Record(figure.high)},
                    {"published", figure.range()},
                    {"unit", figure.unit},
                    {"side", found ? each.side : "no such result"},
                    {"case", each.label},
                    {"ours", found ? Record(each.ours) : Record()},
                    {"to_published", found ? or_null(each.ratio) : Record()},
                    {"differs", each.differs}});
  }
  return rows;
}

/// Of the sides on which no GPU computed: all memories are then one.
std::vector<std::string> host_notes(const std::vector<Side>& sides) {
  std::vector<std::string> of;
  for (const Side& side : sides)
    if (std::any_of(side.groups.begin(), side.groups.end(), [](const Group& group) {
          return value_of(group.what.memory, "memspace") == "host memory";
        }))
      of.push_back(side.name);
  if (of.empty()) return {};
  return {
      fmt::format("No GPU computed on {}: all four memory spaces are the same pages of the "
                  "host's memory there, and count as one.",
                  fmt::join(of, ", "))};
}

/// What exceeds the described theory: the farthest, a line a side.
std::vector<std::string> above_theory(const std::vector<Side>& sides, const Record& cases) {
  constexpr double allowed = 1.05;
  std::vector<std::string> words;
  for (const Side& side : sides) {
    const Record* worst = nullptr;
    for (const Record& row : cases)
      // Fused sweeps read an array once for several sweeps: more than the theory is their point.
      if (row.at("side") == side.name &&
          row.at("problem").get<std::string>().find("temporal") == std::string::npos &&
          number_or(row, "fraction_of_theory", 0) >
              (worst == nullptr ? allowed : number(*worst, "fraction_of_theory")))
        worst = &row;
    if (worst != nullptr)
      words.push_back(
          fmt::format("{}: {}: {:.0f} GB/s are {:.2f} times the theory of {}: arrays "
                      "that fit a cache, or the description of another machine.",
                      side.name, text(*worst, "case"), number(*worst, "bandwidth_gbs"),
                      number(*worst, "fraction_of_theory"), side.description->name));
  }
  return words;
}

std::vector<std::string> notes_of(const std::vector<Side>& sides, const Record& cases) {
  std::vector<std::string> notes = host_notes(sides);
  const auto add = [&notes](const std::vector<std::string>& more) {
    notes.insert(notes.end(), more.begin(), more.end());
  };
  for (const Side& side : sides) {
    add(hosts_that_fall_out(side));
    const auto tuned = std::count_if(side.runs.begin(), side.runs.end(), [](const Run* run) {
      return find(run->record, "tune") != nullptr && find(run->record, "phases") == nullptr;
    });
    if (tuned > 0)
      notes.push_back(
          fmt::format("{}: {} of --tune, which timed no run, not shown.", side.name, tuned));
  }
  add(throttled(sides));
  add(above_theory(sides, cases));
  return notes;
}

}  // namespace

Record answer_of(const std::vector<Side>& sides, std::size_t base,
                 const std::vector<Reference>& references) {
  const std::vector<Problem> problems = problems_of(sides, base);
  const std::vector<ScalingRow> scaling = scaling_rows(sides);
  const std::vector<Published> figures = published(references, sides);
  std::vector<std::string> names, left_out;
  Record each_side = Record::array();
  for (const Side& side : sides) {
    names.push_back(side.name);
    each_side.push_back(side_record(side));
  }
  for (const Problem& problem : problems)
    left_out.insert(left_out.end(), problem.left_out.begin(), problem.left_out.end());
  const Predictor predictor(sides);
  const Record cases = case_rows(sides), model = model_rows(sides, predictor);
  return {{"schema", "memstencil-comparison"},
          {"schema_version", 2},
          {"program", "memcompare"},
          {"title", fmt::format("memstencil: {}", fmt::join(names, " and "))},
          {"base", sides[base].name},
          {"sides", each_side},
          {"sentences", sentences(sides, base, problems)},
          {"problem", problems.empty() ? Record() : Record(problems.front().label)},
          {"problem_title", problems.empty() ? Record() : Record(problems.front().title())},
          {"ranking", ranking_rows(sides, problems)},
          {"left_out", left_out},
          {"notes", notes_of(sides, cases)},
          {"facts", fact_rows(sides)},
          {"cases", cases},
          {"pairs", pair_rows(sides, base)},
          {"scaling", scaling_record(scaling, sides, predictor)},
          {"scaling_sentences", where_more_stop_paying(scaling)},
          {"energy", energy_record(sides)},
          {"model", model},
          {"model_sentences", model_sentences(model)},
          {"published", published_rows(figures)},
          {"published_sentences", in_words(figures)},
          {"probes", probe_record(sides)},
          {"probe_pairs", probe_pairs(sides, base)},
          {"predictions", Record()}};
}

std::string slower_than_allowed(const std::vector<Side>& sides, std::size_t base, double allowed) {
  std::size_t last = sides.size() - 1, compared = 0, slower = 0;
  const Pair* worst = nullptr;
  const std::vector<Pair> pairs = pairs_of(sides, base);
  for (const Pair& pair : pairs) {
    if (pair.side != last) continue;
    ++compared;
    if (pair.ratio - 1 <= std::max(allowed, pair.noise)) continue;
    ++slower;
    if (worst == nullptr || pair.ratio > worst->ratio) worst = &pair;
  }
  if (compared == 0)
    throw Failure(ExitCode::Usage, fmt::format("--fail-above: {} has no case in common with {}",
                                               sides[last].name, sides[base].name));
  if (worst == nullptr) return "";
  return fmt::format(
      "{} is slower than {} by more than {:.3g} % in {} of {} cases; the worst, {}, "
      "takes {:.1f} % longer (spread {})",
      sides[last].name, sides[base].name, 100 * allowed, slower, compared, label(worst->here->what),
      100 * (worst->ratio - 1), percent(worst->noise));
}

}  // namespace memstencil::compare
