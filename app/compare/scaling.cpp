// Strong and weak scaling: himeno and transpose runs that differ in their number of ranks.
#include "app/compare/scaling.hpp"

#include "app/base/cli/numbers.hpp"
#include "app/base/machine/cpus_at_start.hpp"
#include "app/compare/predicted_rates.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace memstencil::compare {

namespace {

struct Point {
  std::string key, label, unit;
  std::string messages;  ///< their path; empty on one rank or a host
  double ranks = 0, rate = 0;
  double processors = 0;  ///< cores where the host computes, otherwise GPUs
  bool by_gpus = false;   ///< is each rank a GPU?
  PredictedRate predicted = {};
};

/// Host threads of a rank, no more than it has CPUs; 1 where the result does not tell.
template <class Result>
double cores_of_rank(const Result& run) {
  const int threads = run.execution.host_threads.value_or(1);
  const int cpus = count_cpus(run.machine.cpu.allowed.value_or(""));
  return cpus > 0 ? std::min(threads, cpus) : threads;
}

/// GPUs by their identifiers; a GPU a rank where the result does not tell.
template <class Result>
double gpus_of(const Result& run, double ranks) {
  std::set<std::string> gpus;
  if (run.provenance)
    for (const Provenance::Rank& rank : run.provenance->ranks)
      if (rank.gpu) gpus.insert(*rank.gpu);
  return gpus.empty() ? ranks : static_cast<double>(gpus.size());
}

double processors_of(const himeno::Result& run, double ranks) {
  if (run.exec == "host") return ranks * cores_of_rank(run);
  return run.scaling ? std::max(1, run.scaling->processors) : gpus_of(run, ranks);
}
double processors_of(const transpose::Result& run, double ranks) {
  return run.exec == "host" ? ranks * cores_of_rank(run) : gpus_of(run, ranks);
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
template <class Result>
Point point(const Entry& entry, const std::string& problem, const Result& run,
            const PredictedRate& predicted) {
  Record shared = entry.identity;
  for (const char* runs_over : {"ranks", "size", "rows", "threads", "messages"})
    shared.erase(runs_over);
  shared.emplace("problem", problem);
  std::string label = problem;
  if (shared.contains("sweep")) label += ", " + text_of(shared, "sweep");
  const double ranks = ranks_of(entry), processors = processors_of(run, ranks);
  const bool share = run.exec == "device" && processors < ranks;
  return {.key = entry.table + shared.dump(),
          .label = label + placement_label(shared),
          .unit = entry.unit,
          .messages = path_in_words(text_of(entry.identity, "messages")),
          .ranks = ranks,
          .rate = entry.value.median,
          .processors = processors,
          .by_gpus = run.exec == "device" && !share,
          .predicted = share ? PredictedRate{.missing = "ranks that share a GPU"} : predicted};
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

std::string block(const transpose::Result& run, const Entry& entry) {
  return fmt::format("{}, {:.0f} rows/rank x {} {}", text_of(entry.identity, "variant"),
                     static_cast<double>(run.rows) / run.ranks, run.columns, run.type);
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
    curve.by_gpus = true;
    for (const auto& [ranks, fastest] : rates) {
      curve.ranks.push_back(ranks);
      curve.processors.push_back(fastest->processors);
      curve.rates.push_back(fastest->rate);
      curve.messages.push_back(fastest->messages);
      curve.by_gpus = curve.by_gpus && fastest->by_gpus;
      const PredictedRate& predicted = fastest->predicted;
      curve.predicted.push_back(predicted.rate);
      curve.predicted_from.insert(predicted.from.begin(), predicted.from.end());
      if (!predicted.missing.empty()) curve.not_predicted.insert(predicted.missing);
    }
    curves.push_back(curve);
  }
}
}  // namespace

std::vector<double> ScalingCurve::efficiency() const {
  std::vector<double> parts;
  for (std::size_t n = 0; n < ranks.size(); ++n)
    parts.push_back(rates[n] / processors[n] / (rates[0] / processors[0]));
  return parts;
}

std::optional<double> ScalingCurve::error(std::size_t n) const {
  return predicted[n] && rates[n] > 0 ? std::optional(*predicted[n] / rates[n] - 1) : std::nullopt;
}

std::string ScalingCurve::where_more_stop_paying() const {
  constexpr double paying = 0.5, spread = 0.05;
  const std::vector<double> efficiencies = efficiency();
  const auto count = [this](std::size_t n) {
    return fmt::format("{:.0f} {}{}", ranks[n], by_gpus ? "GPU" : "rank", ranks[n] > 1 ? "s" : "");
  };
  std::string reason, from;  // the first of those that do not pay up to the last
  std::size_t best = 0;
  for (std::size_t n = 1; n < ranks.size(); ++n) {
    std::string here;
    if (rates[n] < (1 - spread) * rates[best])
      here = fmt::format("slower than {}", count(best));
    else if (efficiencies[n] < paying)
      here = fmt::format("at {:.0f} % of the efficiency", 100 * efficiencies[n]);
    if (here.empty()) reason.clear();
    if (!here.empty() && reason.empty()) reason = here, from = count(n);
    if (rates[n] > rates[best]) best = n;
  }
  return reason.empty() ? "" : fmt::format("from {} on, {}", from, reason);
}

std::vector<ScalingCurve> scaling_curves(const std::vector<Side>& sides) {
  std::vector<ScalingCurve> curves;
  for (const Side& side : sides) {
    const std::optional<model::MachineRates> rates = known_rates(side);
    std::vector<Point> strong, weak;
    for (const Run* run : side.runs) {
      const auto predicted = [&](const auto& result, const Entry& entry) {
        return naming(*run, [&] { return predicted_rate(result, entry, side, rates); });
      };
      if (const auto* himeno = run->as<himeno::Result>()) {
        const Entry speed = entries_of(*himeno).front();
        const PredictedRate rate = predicted(*himeno, speed);
        strong.push_back(point(speed, himeno->size, *himeno, rate));
        weak.push_back(point(speed, block(*himeno), *himeno, rate));
      } else if (const auto* transpose = run->as<transpose::Result>();
                 transpose != nullptr && !transpose->sizes) {  // of many sizes no curve is of one
        for (const Entry& entry : entries_of(*transpose)) {
          const PredictedRate rate = predicted(*transpose, entry);
          strong.push_back(point(entry, matrix(*transpose, entry), *transpose, rate));
          weak.push_back(point(entry, block(*transpose, entry), *transpose, rate));
        }
      }
    }
    add_curves(strong, false, side.label, curves);
    add_curves(weak, true, side.label, curves);
  }
  return curves;
}

}  // namespace memstencil::compare
