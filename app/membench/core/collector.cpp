// The measurements of a probe, put together over its experiments.
#include "app/membench/core/collector.hpp"

#include <algorithm>

namespace memstencil::membench {

void Collector::add(const std::string& name, const Record& parameters, const std::string& unit,
                    const Samples& samples) {
  const auto same = [&](const Measurement& m) { return m.name == name && m.parameters == parameters; };
  const auto found = std::find_if(measurements_.begin(), measurements_.end(), same);
  if (found == measurements_.end()) {
    measurements_.push_back(
        {.name = name, .parameters = parameters, .unit = unit, .samples = samples, .experiments = 1});
    return;
  }
  found->samples.append(samples);
  ++found->experiments;
}

}  // namespace memstencil::membench
