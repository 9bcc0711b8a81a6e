// Strong and weak scaling: runs of one problem that differ in their number of ranks.
#include "app/compare/scaling.hpp"

#include "app/compare/tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace memstencil::compare {

namespace {

Members without(Members members, std::initializer_list<const char*> keys) {
  for (const char* key : keys)
    std::erase_if(members, [&](const auto& each) { return each.first == key; });
  return members;
}

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
  // A division that turns the block is the same work.
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

ScalingRow row_of(const Side& side, const Group& group, bool weak) {
  const Sample& s = group.middle();
  const double messages = s.once[Part::Messages];
  ScalingRow row{.side = side.name,
                 .weak = weak,
                 .curve = curve_of(group, weak),
                 .unit = s.unit,
                 .group = &group,
                 .ranks = s.ranks,
                 .nodes = s.nodes,
                 .processors = s.processors,
                 .messages = value_of(group.what.memory, "messages"),
                 .rate = s.speed};
  if (s.ranks > 1 && s.all_steps + messages > 0) row.exposed = messages / (s.all_steps + messages);
  return row;
}

/// The curves of one side, of one kind.
std::vector<ScalingRow> curves(const Side& side, bool weak) {
  std::map<std::string, std::map<int, ScalingRow>> groups;
  for (const Group& group : side.groups) {
    if (value_of(group.what.problem, "variant") == "copy") continue;  // it sends no messages
    const ScalingRow row = row_of(side, group, weak);
    const auto [known, is_new] = groups[row.curve].emplace(row.ranks, row);
    if (!is_new && row.rate > known->second.rate) known->second = row;
  }
  std::vector<ScalingRow> rows;
  for (auto& [curve, points] : groups) {
    if (points.size() < 2) continue;
    const ScalingRow first = points.begin()->second;
    for (auto& [ranks, row] : points) {
      row.speedup = row.rate / first.rate;
      row.efficiency = row.rate / row.processors / (first.rate / first.processors);
      rows.push_back(row);
    }
  }
  return rows;
}

std::string count(const ScalingRow& row) {
  const bool gpus = row.group->middle().by_gpu() && row.processors == row.ranks;
  return fmt::format("{} {}{}", row.ranks, gpus ? "GPU" : "rank", row.ranks > 1 ? "s" : "");
}

/// "from 4 GPUs on, at 43 % of the efficiency"; empty where the last one pays.
std::string end_of(const std::vector<ScalingRow>& curve) {
  constexpr double paying = 0.5, spread = 0.05;
  std::string reason, from;
  const ScalingRow* best = &curve.front();
  for (const ScalingRow& row : curve) {
    std::string here;
    if (row.rate < (1 - spread) * best->rate)
      here = "slower than " + count(*best);
    else if (row.efficiency < paying)
      here = fmt::format("at {:.0f} % of the efficiency", 100 * row.efficiency);
    if (here.empty()) reason.clear();
    if (!here.empty() && reason.empty()) reason = here, from = count(row);
    if (row.rate > best->rate) best = &row;
  }
  return reason.empty() ? "" : fmt::format("from {} on more do not pay: {}", from, reason);
}

}  // namespace

std::vector<ScalingRow> scaling_rows(const std::vector<Side>& sides) {
  std::vector<ScalingRow> all;
  for (const Side& side : sides)
    for (const bool weak : {false, true}) {
      const std::vector<ScalingRow> rows = curves(side, weak);
      all.insert(all.end(), rows.begin(), rows.end());
    }
  return all;
}

std::vector<std::string> where_more_stop_paying(const std::vector<ScalingRow>& rows) {
  std::vector<std::string> sentences;
  for (auto first = rows.begin(); first != rows.end();) {
    const auto last = std::find_if(first, rows.end(), [&](const ScalingRow& row) {
      return row.side != first->side || row.weak != first->weak || row.curve != first->curve;
    });
    const std::vector<ScalingRow> curve(first, last);
    const ScalingRow& most = curve.back();
    const std::string end = end_of(curve);
    std::string text =
        fmt::format("{}, {} scaling, {}: {} are {:.2f} times as fast as {}, efficiency {:.2f}",
                    most.side, most.weak ? "weak" : "strong", most.curve, count(most), most.speedup,
                    count(curve.front()), most.efficiency);
    if (most.exposed) text += fmt::format(", messages not hidden {:.0f} %", 100 * *most.exposed);
    sentences.push_back(text + (end.empty() ? "." : "; " + end + "."));
    first = last;
  }
  return sentences;
}

}  // namespace memstencil::compare
