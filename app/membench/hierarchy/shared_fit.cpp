// The regressions of the shared probe.
#include "app/membench/hierarchy/shared_fit.hpp"

#include "app/membench/hierarchy/bank_wavefronts.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <vector>

namespace memstencil::membench {

namespace {

using TermsOfPoint = std::function<std::vector<double>(const SharedPoint&)>;

Fit fit(const std::vector<SharedPoint>& points, const TermsOfPoint& terms_of) {
  std::vector<std::vector<double>> columns;
  std::vector<double> means;
  for (const SharedPoint& point : points) {
    const std::vector<double> row = terms_of(point);
    columns.resize(row.size());
    for (std::size_t t = 0; t < row.size(); ++t) columns[t].push_back(row[t]);
    means.push_back(point.mean);
  }
  return least_squares({columns.begin(), columns.end()}, means);
}

}  // namespace

Fit paper_fit(const std::vector<SharedPoint>& points) {
  return fit(points, [](const SharedPoint& p) {
    return std::vector<double>{static_cast<double>(p.loads * p.warps * p.congestion), 1.0};
  });
}

Fit hopper_fit(const std::vector<SharedPoint>& points, int word_bytes) {
  return fit(points, [word_bytes](const SharedPoint& p) {
    const int passes = bank_wavefronts(static_cast<unsigned>(p.congestion), word_bytes);
    const int cycles = p.loads * std::max(cycles_between_loads, std::max(2, p.warps) * passes);
    return std::vector<double>{static_cast<double>(cycles), static_cast<double>(p.warps), 1.0};
  });
}

}  // namespace memstencil::membench
