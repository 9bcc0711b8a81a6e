// Strong and weak scaling: of runs of one problem that differ in their number of ranks.
#include "app/compare/judge/scaling.hpp"

#include "app/base/record/text_report.hpp"
#include "app/compare/read/number_text.hpp"
#include "app/compare/read/tree.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>

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

Record row_of(const Group& group, const Sample& first, const model::Prediction& prediction) {
  const Sample& s = group.middle();
  const double speedup = s.bandwidth / first.bandwidth;  // it counts every point that is updated
  const double efficiency = speedup * first.processors / s.processors;
  return {{"ranks", s.ranks},
          {"nodes", s.nodes},
          {"processors", static_cast<int>(s.processors)},
          {"unit_of_ranks", s.by_gpu() && s.processors == s.ranks ? "GPU" : "rank"},
          {"messages", value_of(group.what.memory, "messages")},
          {"rate", s.speed},
          {"rates", group.speeds()},
          {"unit", s.unit},
          {"speedup", speedup},  // of weak scaling T1 / Tn times the work
          {"efficiency", efficiency},
          {"perfect_rate", s.speed / efficiency},
          {"exposed_messages", or_null(s.exposed)},
          {"predicted", or_null(predicted_rate(prediction, s))},
          {"not_predicted", prediction.why_not()}};
}

std::string count(const Record& row) {
  return counted(row.at("ranks").get<int>(), text(row, "unit_of_ranks"));
}

/// "from 4 GPUs on more do not pay: efficiency 43 %"; empty where the last one pays.
std::string end_of(const std::vector<const Record*>& curve) {
  constexpr double paying = 0.5, spread = 0.05;
  std::string reason, from;
  const Record* best = curve.front();
  for (const Record* row : curve) {
    std::string here;
    if (number(*row, "rate") < (1 - spread) * number(*best, "rate"))
      here = "slower than " + count(*best);
    else if (number(*row, "efficiency") < paying)
      here = fmt::format("efficiency {:.0f} %", 100 * number(*row, "efficiency"));
    if (here.empty()) reason.clear();
    if (!here.empty() && reason.empty()) reason = here, from = count(*row);
    if (number(*row, "rate") > number(*best, "rate")) best = row;
  }
  return reason.empty() ? "" : fmt::format("; from {} on more do not pay: {}", from, reason);
}

/// @param missing why rows of the curve are not predicted; empty: all are
std::string sentence(const std::vector<const Record*>& curve, const std::string& missing) {
  const Record &first = *curve.front(), &most = *curve.back();
  std::string text_of = fmt::format("{}, {} scaling, {}: ", text(most, "side"),
                                    text(most, "scaling"), text(most, "curve"));
  if (curve.size() == 1)
    return text_of + fmt::format("not predicted beyond {}: {}.", count(first), missing);
  text_of +=
      fmt::format("{} are {} times as fast as {}, efficiency {:.2f}", count(most),
                  times_text(number(most, "speedup")), count(first), number(most, "efficiency"));
  if (const auto exposed = number_if(most, "exposed_messages"))
    text_of += fmt::format(", messages not hidden {:.0f} %", 100 * *exposed);
  return text_of + end_of(curve) + ".";
}

}  // namespace

Record scaling_rows(const std::vector<Side>& sides, const Predictor& predictor) {
  Record rows = Record::array();
  for (std::size_t side = 0; side < sides.size(); ++side)
    for (const bool weak : {false, true})
      for (const auto& [curve, groups] : curves_of(sides[side], weak))
        for (const auto& [ranks, group] : groups) {
          Record row{
              {"side", sides[side].name}, {"scaling", weak ? "weak" : "strong"}, {"curve", curve}};
          row.update(row_of(*group, groups.begin()->second->middle(),
                            predictor.run(side, group->middle())));
          rows.push_back(row);
        }
  return rows;
}

std::vector<std::string> scaling_sentences(const Record& rows) {
  std::vector<std::pair<double, std::string>> said;  // what scales worst comes first
  nlohmann::ordered_map<std::string, std::vector<const Record*>> curves;
  for (const Record& row : rows)
    curves[text(row, "side") + "\n" + text(row, "scaling") + "\n" + text(row, "curve")].push_back(
        &row);
  for (const auto& [name, of] : curves) {
    std::vector<const Record*> curve;
    std::string missing;
    for (const Record* row : of) {
      if (!row->contains("rate") && !curve.empty()) missing = text(*row, "not_predicted");
      if (row->contains("rate")) curve.push_back(row);
    }
    if (curve.size() > 1 || !missing.empty())
      said.emplace_back(number_or(*curve.back(), "efficiency", 0), sentence(curve, missing));
  }
  std::ranges::stable_sort(said, {}, &std::pair<double, std::string>::first);
  std::vector<std::string> sentences;
  for (const auto& [efficiency, text] : said) sentences.push_back(text);
  return sentences;
}

}  // namespace memstencil::compare
