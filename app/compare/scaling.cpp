// Strong and weak scaling: himeno and transpose runs that differ in their number of ranks.
#include "app/compare/scaling.hpp"

#include "app/common/cli/numbers.hpp"
#include "app/common/machine/cpus_at_start.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace memstencil::compare {

namespace {

struct Point {
  std::string key, label, unit;
  std::string messages;  ///< their path; empty on one rank or a host
  double ranks = 0, rate = 0;
  double processors = 0;  ///< cores where the host computes, otherwise ranks, a GPU each
};

/// Host threads of a rank, no more than it has CPUs; 1 where a GPU computes
/// or the result does not tell.
template <class Result>
double cores_of_rank(const Result& run) {
  if (run.exec != "host") return 1;
  const int threads = run.execution.host_threads.value_or(1);
  const int cpus = count_cpus(run.machine.cpu.allowed.value_or(""));
  return cpus > 0 ? std::min(threads, cpus) : threads;
}

/// The product of "2x1x1"; 1 where there is no such text.
double ranks_of(const Entry& entry) {
  double ranks = 1;
  const std::string text = text_of(entry.identity, "ranks");
  if (!text.empty())
    for (const std::string& factor : split(text, 'x')) ranks *= std::stod(factor);
  return ranks;
}

/// The entry without what the curve runs over. What all its points share is the key. `problem` says
/// what stays the same. Threads are no part of it: more ranks on the same cores have fewer each.
Point point(const Entry& entry, const std::string& problem, double cores) {
  Record shared = entry.identity;
  for (const char* runs_over : {"ranks", "size", "threads", "messages"}) shared.erase(runs_over);
  shared.emplace("problem", problem);
  std::string label = problem;
  if (shared.contains("sweep")) label += ", " + text_of(shared, "sweep");
  return {.key = entry.table + shared.dump(),
          .label = label + placement_label(shared),
          .unit = entry.unit,
          .messages = path_in_words(text_of(entry.identity, "messages")),
          .ranks = ranks_of(entry),
          .rate = entry.value.median,
          .processors = ranks_of(entry) * cores};
}

/// Points a rank, to within the rounding of uneven blocks; weak scaling keeps them.
std::string block(const himeno::Result& run) {
  double points = 1;
  for (std::size_t d = 0; d < 3; ++d)
    points *= std::round(static_cast<double>(run.extents[d]) / run.ranks[d]);
  // A division that turns the block is the same work.
  return fmt::format("{:.3g} million points/rank", 1e-6 * points);
}

std::string matrix(const transpose::Result& run, const Entry& entry) {
  return fmt::format("{}, {} x {} {}", text_of(entry.identity, "variant"), run.rows, run.columns,
                     run.type);
}

void add_curves(const std::vector<Point>& points, bool weak, const std::string& side,
                std::vector<ScalingCurve>& curves) {
  // The fastest of each number of ranks.
  std::map<std::string, std::map<double, const Point*>> groups;
  for (const Point& p : points) {
    const Point*& best = groups[p.key][p.ranks];
    if (best == nullptr || p.rate > best->rate) best = &p;
  }
  for (const auto& [key, rates] : groups) {
    if (rates.size() < 2) continue;
    const auto first = std::find_if(points.begin(), points.end(),
                                    [&k = key](const Point& p) { return p.key == k; });
    ScalingCurve curve{.weak = weak, .side = side, .label = first->label, .unit = first->unit};
    for (const auto& [ranks, fastest] : rates) {
      curve.ranks.push_back(ranks);
      curve.processors.push_back(fastest->processors);
      curve.rates.push_back(fastest->rate);
      curve.messages.push_back(fastest->messages);
    }
    curves.push_back(curve);
  }
}

/// "2 by NCCL": of the curve's last point.
std::string last_ranks(const ScalingCurve& curve) {
  const std::string ranks = fmt::format("{:.0f}", curve.ranks.back()),
                    &path = curve.messages.back();
  return path.empty() ? ranks : ranks + " by " + path;
}

}  // namespace

std::vector<double> ScalingCurve::efficiency() const {
  std::vector<double> parts;
  for (std::size_t n = 0; n < ranks.size(); ++n)
    parts.push_back(rates[n] / processors[n] / (rates[0] / processors[0]));
  return parts;
}

std::vector<ScalingCurve> scaling_curves(const std::vector<Side>& sides) {
  std::vector<ScalingCurve> curves;
  for (const Side& side : sides) {
    std::vector<Point> strong, weak;
    for (const Run* run : side.runs) {
      if (const auto* himeno = run->as<himeno::Result>()) {
        const Entry speed = entries_of(*himeno).front();
        strong.push_back(point(speed, himeno->size, cores_of_rank(*himeno)));
        weak.push_back(point(speed, block(*himeno), cores_of_rank(*himeno)));
      } else if (const auto* transpose = run->as<transpose::Result>()) {
        for (const Entry& entry : entries_of(*transpose))
          strong.push_back(point(entry, matrix(*transpose, entry), cores_of_rank(*transpose)));
      }
    }
    add_curves(strong, false, side.label, curves);
    add_curves(weak, true, side.label, curves);
  }
  return curves;
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
                  {"unit"},
                  {"speed-up", Show::Times},
                  {"efficiency", Show::Percent}},
      .note =
          "Efficiency: rate a core, or a GPU where it computes, against that of the fewest ranks. "
          "Of several paths of the messages the fastest stands here."};
  for (const ScalingCurve& curve : curves) {
    const std::vector<double> efficiency = curve.efficiency();
    for (std::size_t n = 0; n < curve.ranks.size(); ++n)
      table.rows.push_back({curve.side, curve.weak ? "weak" : "strong", curve.label, curve.ranks[n],
                            curve.messages[n], curve.processors[n], curve.rates[n], curve.unit,
                            curve.rates[n] / curve.rates[0], efficiency[n]});
  }
  return table;
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
                          {"of ideal", Show::Percent}}};
  for (const ScalingCurve& curve : curves) {
    if (table.rows.size() == most) break;
    if (curve.label.starts_with("copy,")) continue;  // it sends no messages
    table.rows.push_back({curve.side, curve.weak ? "weak" : "strong", curve.label,
                          last_ranks(curve), number_text(curve.rates.back()) + " " + curve.unit,
                          curve.rates.back() / curve.rates.front(), curve.efficiency().back()});
  }
  if (sides.size() == 1) {
    table.columns.erase(table.columns.begin());
    for (auto& row : table.rows) row.erase(row.begin());
  }
  return {.title = "Several ranks against the fewest of the case", .tables = {table}};
}

}  // namespace memstencil::compare
