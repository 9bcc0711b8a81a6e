// A predicted run: the time of each phase by cause, and the time of each step.
#pragma once

#include "app/compare/predict/rates.hpp"
#include "app/compare/read/sums.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace memstencil::compare::model {

/// The causes that time is counted under.
enum class Cause {
  HostMemory,
  DeviceMemory,
  Link,
  Migration,
  FirstTouch,
  Allocation,
  Launch,
  Messages  ///< between ranks, beyond what sweeps hide
};
inline constexpr std::array cause_names{"host memory", "device memory", "link",   "migration",
                                        "first touch", "allocation",    "launch", "messages"};
inline constexpr auto all_causes = kinds<Cause>(cause_names);
inline std::string name(Cause cause) { return cause_names.at(static_cast<std::size_t>(cause)); }

using TimeByCause = Sums<Cause, all_causes.size()>;

/// The steps of a run in their order. Those that are alike and follow each other are kept once,
/// since a run may have 10^9 of them.
class Steps {
public:
  void add(const TimeByCause& step, std::int64_t count = 1) {
    if (!alike_.empty() && alike_.back().step == step)
      alike_.back().count += count;
    else if (count > 0)
      alike_.push_back({step, count});
  }

  std::int64_t size() const {
    std::int64_t steps = 0;
    for (const Alike& each : alike_) steps += each.count;
    return steps;
  }
  const TimeByCause& front() const { return alike_.front().step; }
  const TimeByCause& back() const { return alike_.back().step; }
  const TimeByCause& operator[](std::int64_t n) const {
    for (const Alike& each : alike_) {
      if (n < each.count) return each.step;
      n -= each.count;
    }
    throw std::logic_error("a prediction has no such step");
  }
  TimeByCause sum() const {
    TimeByCause sum;
    for (const Alike& each : alike_) sum += each.step * static_cast<double>(each.count);
    return sum;
  }
  double median() const {
    Steps sorted = *this;
    std::ranges::sort(sorted.alike_, {}, [](const Alike& each) { return each.step.total(); });
    return std::midpoint(sorted[(size() - 1) / 2].total(), sorted[size() / 2].total());
  }

private:
  struct Alike {
    TimeByCause step;
    std::int64_t count;
  };
  std::vector<Alike> alike_;
};

struct Phase {
  std::string name;
  TimeByCause time = {};
  std::string missing = {};  ///< the figure without which it is not predicted
};

struct Prediction {
  std::vector<Phase> phases = {};  ///< in the order in which they run
  Steps steps = {};                ///< none if a figure is missing

  /// Of all phases that are predicted.
  TimeByCause time() const {
    TimeByCause sum;
    for (const Phase& each : phases) sum += each.time;
    return sum;
  }
  /// The figures that are missing; empty: the run is predicted.
  std::set<std::string> missing() const {
    std::set<std::string> names;
    for (const Phase& each : phases)
      if (!each.missing.empty()) names.insert(each.missing);
    return names;
  }
  /// The same as a text.
  std::string why_not() const { return fmt::format("{}", fmt::join(missing(), "; ")); }
};

/// The phase, or the figure that it lacks.
template <class Of>
Phase phase(const std::string& name, Of of) {
  try {
    return {name, of()};
  } catch (const Missing& missing) {
    return {name, {}, missing.what()};
  }
}

}  // namespace memstencil::compare::model
