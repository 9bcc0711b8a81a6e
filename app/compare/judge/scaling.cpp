// Strong and weak scaling: of runs of one problem that differ in their number of ranks.
#include "app/compare/judge/rows.hpp"

#include "app/compare/predict/applications.hpp"
#include "app/compare/read/tree.hpp"

#include <fmt/format.h>

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

}  // namespace

Record scaling_rows(const std::vector<Side>& sides) {
  Record rows = Record::array();
  for (const Side& side : sides) {
    const ProbedRates probed = model::probed_rates(side.runs);
    for (const bool weak : {false, true})
      for (const auto& [curve, groups] : curves_of(side, weak))
        for (const auto& [ranks, group] : groups) {
          Record row{{"side", side.name}, {"scaling", weak ? "weak" : "strong"}, {"curve", curve}};
          row.update(row_of(*group, groups.begin()->second->middle(),
                            predict(side, probed, group->middle())));
          rows.push_back(row);
        }
  }
  return rows;
}

}  // namespace memstencil::compare
