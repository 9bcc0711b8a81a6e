// A predicted run: the time of each phase by cause, and the time of each step.
#include "app/compare/model/time.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace memstencil::compare::model {

void Steps::add(const TimeByCause& step, std::int64_t count) {
  if (!alike_.empty() && alike_.back().step == step)
    alike_.back().count += count;
  else if (count > 0)
    alike_.push_back({step, count});
}

std::int64_t Steps::size() const {
  return std::accumulate(alike_.begin(), alike_.end(), std::int64_t{0},
                         [](std::int64_t sum, const Alike& each) { return sum + each.count; });
}

const TimeByCause& Steps::operator[](std::int64_t n) const {
  for (const Alike& each : alike_) {
    if (n < each.count) return each.step;
    n -= each.count;
  }
  throw std::logic_error("a prediction has no such step");
}

TimeByCause Steps::sum() const {
  TimeByCause sum;
  for (const Alike& each : alike_) sum += each.step * static_cast<double>(each.count);
  return sum;
}

double Steps::median() const {
  Steps sorted = *this;
  std::ranges::sort(sorted.alike_, {}, [](const Alike& each) { return each.step.total(); });
  const std::int64_t steps = sorted.size();
  return std::midpoint(sorted[(steps - 1) / 2].total(), sorted[steps / 2].total());
}

TimeByCause Prediction::time() const {
  TimeByCause sum;
  for (const Phase& each : phases) sum += each.time;
  return sum;
}

std::set<std::string> Prediction::missing() const {
  std::set<std::string> names;
  for (const Phase& each : phases)
    if (!each.missing.empty()) names.insert(each.missing);
  return names;
}

std::string Prediction::why_not() const { return fmt::format("{}", fmt::join(missing(), "; ")); }

}  // namespace memstencil::compare::model
