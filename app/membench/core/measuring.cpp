// The path of every measurement: sampled as the settings ask, held against
// what is right, and collected.
#include "app/membench/core/measuring.hpp"

#include <algorithm>

namespace memstencil::membench {

void Samples::append(const Samples& later) {
  warmup.insert(warmup.end(), later.warmup.begin(), later.warmup.end());
  values.insert(values.end(), later.values.begin(), later.values.end());
  if (stopped.empty() || later.stopped.starts_with("limit")) stopped = later.stopped;
}

Samples sample(const Sampling& sampling, const std::function<double()>& measure) {
  Samples samples;
  for (int n = 0; n < sampling.warmups; ++n) samples.warmup.push_back(measure());
  const StoppingRule rule{sampling.repeats, sampling.limit, sampling.half_width};
  while (samples.stopped.empty()) {
    samples.values.push_back(measure());
    samples.stopped = reason_to_stop(rule, samples.values);
  }
  return samples;
}

Sampling Settings::sampling(const Sampling& usual, int paper_repeats) const {
  Sampling chosen = usual;
  if (repeats || paper) chosen.repeats = chosen.limit = repeats.value_or(paper_repeats);
  return chosen;
}

int Settings::experiment_count(int usual, int paper_experiments) const {
  return experiments.value_or(paper ? paper_experiments : usual);
}

Samples Collector::measure(const std::string& name, const Record& parameters,
                           const std::string& unit, const std::function<double()>& once) {
  progress_(name);
  Samples samples = sample(sampling, once);
  result.add(name, parameters, unit, samples);
  return samples;
}

const Measurement& ProbeResult::add(const std::string& name, const Record& parameters,
                                    const std::string& unit, const Samples& samples) {
  const auto found = std::find_if(
      measurements.begin(), measurements.end(),
      [&](const Measurement& m) { return m.name == name && m.parameters == parameters; });
  if (found == measurements.end())
    return measurements.emplace_back(name, parameters, unit, samples);
  found->samples.append(samples);
  ++found->experiments;
  return *found;
}

void add_row(Record& table, std::initializer_list<std::pair<const char*, Record>> row) {
  for (const auto& [column, value] : row) table[column].push_back(value);
}

}  // namespace memstencil::membench
