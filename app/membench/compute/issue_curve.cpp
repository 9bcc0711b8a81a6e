// What the measured points of one kind of instruction tell: its peak, and how many warps it takes.
#include "app/membench/compute/issue_curve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace memstencil::membench {

namespace {

double peak(std::span<const IssuePoint> points) {
  double most = 0;
  for (const IssuePoint& p : points) most = std::max(most, p.per_clock);
  return most;
}

}  // namespace

std::optional<int> warps_to_hide(std::span<const IssuePoint> points, int ilp) {
  const double enough = hidden * peak(points);
  std::optional<int> fewest;
  for (const IssuePoint& p : points)
    if (p.ilp == ilp && p.per_clock >= enough) fewest = std::min(fewest.value_or(p.warps), p.warps);
  return fewest;
}

Record issue_summary(std::span<const IssuePoint> points) {
  std::set<int> ilps;
  for (const IssuePoint& p : points) ilps.insert(p.ilp);
  Record warps = Record::object();
  for (const int ilp : ilps) {
    const std::optional<int> fewest = warps_to_hide(points, ilp);
    warps[fmt::format("ilp {}", ilp)] = fewest ? Record(*fewest) : Record();
  }
  constexpr int lanes = 32;
  return {{"peak_per_clock", peak(points)},
          {"peak_lanes_per_clock", lanes * peak(points)},
          {"warps_to_hide", warps}};
}

Record issue_table(std::span<const IssuePoint> points) {
  Record table{{"warps", Record::array()},
               {"ilp", Record::array()},
               {"per_clock", Record::array()},
               {"cycles", Record::array()}};
  for (const IssuePoint& p : points) {
    table["warps"].push_back(p.warps);
    table["ilp"].push_back(p.ilp);
    table["per_clock"].push_back(p.per_clock);
    table["cycles"].push_back(p.cycles);
  }
  return table;
}

}  // namespace memstencil::membench
