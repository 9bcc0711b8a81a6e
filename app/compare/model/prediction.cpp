// A predicted run: the time of each phase by cause, and the time of each sweep.
#include "app/compare/model/prediction.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace memstencil::model {

std::string_view name(Cause cause) {
  switch (cause) {
    case Cause::HostMemory:
      return "host memory";
    case Cause::DeviceMemory:
      return "device memory";
    case Cause::Link:
      return "link";
    case Cause::Migration:
      return "migration";
    case Cause::FirstTouch:
      return "first touch";
    case Cause::Allocation:
      return "allocation";
    case Cause::Launch:
      return "launch";
    case Cause::Messages:
      return "messages";
  }
  throw std::logic_error("a cause without a name");
}

double TimeByCause::total() const { return std::accumulate(seconds_.begin(), seconds_.end(), 0.0); }

TimeByCause& TimeByCause::operator+=(const TimeByCause& other) {
  for (std::size_t n = 0; n < seconds_.size(); ++n) seconds_[n] += other.seconds_[n];
  return *this;
}

TimeByCause& TimeByCause::operator*=(double factor) {
  for (double& seconds : seconds_) seconds *= factor;
  return *this;
}

TimeByCause operator+(TimeByCause a, const TimeByCause& b) { return a += b; }

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
  for (const Alike& each : alike_) {
    TimeByCause together = each.step;
    together *= static_cast<double>(each.count);
    sum += together;
  }
  return sum;
}

double Steps::median_of_first(std::int64_t count) const {
  Steps first;
  for (const Alike& each : alike_) {
    const std::int64_t taken = std::min(each.count, count);
    first.add(each.step, taken);
    count -= taken;
  }
  std::sort(first.alike_.begin(), first.alike_.end(),
            [](const Alike& a, const Alike& b) { return a.step.total() < b.step.total(); });
  const std::int64_t steps = first.size();
  return std::midpoint(first[(steps - 1) / 2].total(), first[steps / 2].total());
}

TimeByCause Prediction::time_by_cause() const {
  TimeByCause sum;
  for (const PhasePrediction& phase : phases) sum += phase.time;
  return sum;
}

}  // namespace memstencil::model
