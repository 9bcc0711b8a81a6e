// What a model says of a run: each phase's time, split by cause, and the time of each sweep.
#include "app/model/prediction.hpp"

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
  }
  throw std::logic_error("a cause without a name");
}

double Split::total() const { return std::accumulate(seconds_.begin(), seconds_.end(), 0.0); }

Split& Split::operator+=(const Split& other) {
  for (std::size_t n = 0; n < seconds_.size(); ++n) seconds_[n] += other.seconds_[n];
  return *this;
}

Split& Split::operator*=(double factor) {
  for (double& seconds : seconds_) seconds *= factor;
  return *this;
}

Split operator+(Split a, const Split& b) { return a += b; }

Split Prediction::split() const {
  Split sum;
  for (const PhasePrediction& phase : phases) sum += phase.split;
  return sum;
}

Record prediction_record(const Prediction& prediction) {
  Record causes = Record::object();
  const Split all = prediction.split();
  for (const Cause cause : all_causes)
    if (all[cause] > 0.0) causes[std::string(name(cause))] = all[cause];
  Record phases = Record::object();
  for (const PhasePrediction& phase : prediction.phases) phases[phase.phase] = phase.split.total();
  return {{"total", all.total()},
          {"causes", causes},
          {"phases", phases},
          {"first_step", prediction.sweeps.front().total()},
          {"last_step", prediction.sweeps.back().total()},
          {"notes", prediction.notes}};
}

}  // namespace memstencil::model
