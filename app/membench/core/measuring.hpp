// The path of every measurement: sampled as the settings ask, held against
// what is right, and collected.
#pragma once

#include "app/common/runtime/failure.hpp"
#include "app/common/runtime/statistics.hpp"
#include "app/membench/core/probe.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace memstencil::membench {

/// Samples as the settings ask, and adds to the result.
class Collector {
public:
  /// With --paper so many samples as the paper's, otherwise as `usual`.
  Collector(const Settings& settings, const Sampling& usual, int paper_repeats)
      : sampling(settings.sampling(usual, paper_repeats)), progress_(settings.progress) {}
  /// The paper's repeats are the usual ones.
  Collector(const Settings& settings, const Sampling& usual)
      : Collector(settings, usual, usual.repeats) {}

  /// Tells the terminal the name, samples, and adds. Gives the samples of this experiment.
  Samples measure(const std::string& name, const Record& parameters, const std::string& unit,
                  const std::function<double()>& once);

  const Sampling sampling;
  ProbeResult result;

private:
  std::function<void(const std::string&)> progress_;
};

inline double median(const Samples& samples) { return statistics(samples.values).median; }

/// Adds a row to a table {column: [values]}.
void add_row(Record& table, std::initializer_list<std::pair<const char*, Record>> row);

/// @throws Failure(Verification) with the line where it is not right
template <class... Args>
void verify(bool right, fmt::format_string<Args...> line, Args&&... args) {
  if (!right) throw Failure(ExitCode::Verification, fmt::format(line, std::forward<Args>(args)...));
}

/// Every value has to be `right(n)`, or not further from it than `allowed`; a NaN never is right.
/// @throws Failure(Verification) that names the first which is not
template <class T, class Right>
void verify_all(const std::string& title, const std::vector<T>& values, const Right& right,
                double allowed = 0) {
  for (std::size_t n = 0; n < values.size(); ++n) {
    const T expected = right(n);
    const bool near =
        std::abs(static_cast<double>(values[n]) - static_cast<double>(expected)) <= allowed;
    verify(values[n] == expected || (allowed > 0 && near), "{}: number {} is {}, and {} is right",
           title, n, values[n], expected);
  }
}

}  // namespace memstencil::membench
