// The tables of scaling: measured beside predicted, and where more ranks stop paying.
#include "app/compare/scaling.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace memstencil::compare {

namespace {

/// "2 by NCCL": of the curve's last point.
std::string last_ranks(const ScalingCurve& curve) {
  const std::string ranks = fmt::format("{:.0f}", curve.ranks.back()),
                    &path = curve.messages.back();
  return path.empty() ? ranks : ranks + " by " + path;
}

/// Of the curve's last point; null where it has none.
Record predicted_text(const ScalingCurve& curve) {
  const std::optional<double>& rate = curve.predicted.back();
  return rate ? Record(number_text(*rate) + " " + curve.unit) : Record();
}

/// What the predictions are from, and what has none.
std::string note_on_predictions(const std::vector<ScalingCurve>& curves) {
  std::set<std::string> from, without;
  for (const ScalingCurve& curve : curves) {
    from.insert(curve.predicted_from.begin(), curve.predicted_from.end());
    without.insert(curve.not_predicted.begin(), curve.not_predicted.end());
  }
  std::string note;
  if (!from.empty())
    note += fmt::format(" Predicted from {}. Error: predicted over measured rate, less 1.",
                        fmt::join(from, "; "));
  if (!without.empty()) note += fmt::format(" Not predicted: {}.", fmt::join(without, "; "));
  return note;
}

}  // namespace

std::string where_more_stop_paying(const std::vector<ScalingCurve>& curves) {
  const bool several = std::any_of(curves.begin(), curves.end(), [&](const ScalingCurve& curve) {
    return curve.side != curves.front().side;
  });
  std::vector<std::string> ends;
  std::size_t paying = 0;
  for (const ScalingCurve& curve : curves) {
    if (curve.label.starts_with("copy,")) continue;  // it sends no messages
    const std::string end = curve.where_more_stop_paying();
    if (end.empty())
      ++paying;
    else
      ends.push_back(fmt::format("{}{}, {}: {}", several ? curve.side + ", " : "",
                                 curve.weak ? "weak" : "strong", curve.label, end));
  }
  if (ends.empty()) return paying == 0 ? "" : "Efficiency stays at one half or more everywhere.";
  return fmt::format(
      "More stop paying: {}.{}", fmt::join(ends, "; "),
      paying == 0 ? "" : " In the other cases efficiency stays at one half or more.");
}

Table scaling_table(const std::vector<ScalingCurve>& curves) {
  Table table{
      .title = "Scaling over ranks",
      .columns = {{"machine"},
                  {"scaling"},
                  {"case"},
                  {"ranks", Show::Count},
                  {"messages"},
                  {"cores or GPUs", Show::Count},
                  {"rate", Show::Number},
                  {"predicted", Show::Number},
                  {"error", Show::Percent},
                  {"unit"},
                  {"speed-up", Show::Times},
                  {"efficiency", Show::Percent}},
      .note =
          "Efficiency: rate a core, or a GPU where it computes, against that of the fewest ranks. "
          "Of several paths of the messages the fastest stands here." +
          note_on_predictions(curves) + " " + where_more_stop_paying(curves)};
  for (const ScalingCurve& curve : curves) {
    const std::vector<double> efficiency = curve.efficiency();
    for (std::size_t n = 0; n < curve.ranks.size(); ++n)
      table.rows.push_back({curve.side, curve.weak ? "weak" : "strong", curve.label, curve.ranks[n],
                            curve.messages[n], curve.processors[n], curve.rates[n],
                            memstencil::to_record(curve.predicted[n]),
                            memstencil::to_record(curve.error(n)), curve.unit,
                            curve.rates[n] / curve.rates[0], efficiency[n]});
  }
  return without_empty_columns(table);
}

Section scaling_section(const std::vector<Side>& sides) {
  constexpr std::size_t most = 10;
  std::vector<ScalingCurve> curves = scaling_curves(sides);
  std::stable_sort(curves.begin(), curves.end(), [](const ScalingCurve& a, const ScalingCurve& b) {
    return a.unit != b.unit ? a.unit < b.unit : a.rates.back() > b.rates.back();
  });
  Table table{.title = "",
              .columns = {{"machine"},
                          {"scaling"},
                          {"case"},
                          {"ranks"},
                          {"rate"},
                          {"gain", Show::Times},
                          {"of ideal", Show::Percent},
                          {"predicted"},
                          {"error", Show::Percent}},
              .note = where_more_stop_paying(curves) + note_on_predictions(curves)};
  for (const ScalingCurve& curve : curves) {
    if (table.rows.size() == most) break;
    if (curve.label.starts_with("copy,")) continue;  // it sends no messages
    table.rows.push_back({curve.side, curve.weak ? "weak" : "strong", curve.label,
                          last_ranks(curve), number_text(curve.rates.back()) + " " + curve.unit,
                          curve.rates.back() / curve.rates.front(), curve.efficiency().back(),
                          predicted_text(curve),
                          memstencil::to_record(curve.error(curve.rates.size() - 1))});
  }
  if (sides.size() == 1) {
    table.columns.erase(table.columns.begin());
    for (auto& row : table.rows) row.erase(row.begin());
  }
  return {.title = "Several ranks against the fewest of the case",
          .tables = {without_empty_columns(table)}};
}

}  // namespace memstencil::compare
