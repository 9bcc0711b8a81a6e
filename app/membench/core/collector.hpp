// The measurements of a probe, put together over its experiments.
#pragma once

#include "app/membench/core/probe.hpp"

#include <string>
#include <vector>

namespace memstencil::membench {

/// Samples of the same name and parameters become one measurement, an experiment each time they are added.
class Collector {
public:
  void add(const std::string& name, const Record& parameters, const std::string& unit,
           const Samples& samples);
  /// In the order of their first samples.
  const std::vector<Measurement>& measurements() const { return measurements_; }

private:
  std::vector<Measurement> measurements_;
};

}  // namespace memstencil::membench
