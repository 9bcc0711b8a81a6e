// One timed thing of one run: the sweeps of a grid code, or the iterations of one transpose.
#include "app/compare/sample.hpp"

#include "app/compare/tree.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace memstencil::compare {

std::string name(Part part) {
  constexpr std::array names{"allocate", "initialise", "upload",   "pre_touch", "steps",
                             "beyond",   "messages",   "download", "free"};
  static_assert(names.size() == all_parts.size());
  return names[static_cast<std::size_t>(part)];
}

double median_of(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return std::midpoint(values[(values.size() - 1) / 2], values[values.size() / 2]);
}

void finish(Sample& sample) {
  const std::vector<double>& series = sample.series;
  const bool positive =
      std::all_of(series.begin(), series.end(), [](double each) { return each > 0; });
  if (series.empty() || sample.steps < 1 || !positive)
    throw Failure(ExitCode::Other, "it has no steps, or steps without a time");
  sample.first = series.front();
  sample.median = median_of(series);
  sample.tail =
      median_of({series.begin() + static_cast<std::ptrdiff_t>(series.size() / 2), series.end()});
  if (sample.all_steps == 0) sample.all_steps = std::accumulate(series.begin(), series.end(), 0.0);
}

const Record* energy_of(const Sample& sample) {
  const Record& record = sample.run->record;
  const Record* variants = find(record, "variants");
  if (variants == nullptr) return find(record, "energy");
  const std::string name = value_of(sample.what.problem, "variant");
  for (const Record& each : *variants)
    if (text_or(each, "name") == name) return find(each, "energy");
  return nullptr;
}

bool Sample::steady() const {
  constexpr std::int64_t least = 6;
  constexpr double equal = 0.05;
  return steps >= least && std::abs(tail - median) <= equal * median;
}

Seconds Sample::at(std::int64_t count) const {
  Seconds parts = once;
  const double all = all_steps + static_cast<double>(count - steps) * tail;
  parts[Part::Pace] = std::min(all, median * static_cast<double>(count));
  parts[Part::Beyond] = all - parts[Part::Pace];
  parts[Part::Messages] *= static_cast<double>(count) / static_cast<double>(steps);
  return parts;
}

}  // namespace memstencil::compare
