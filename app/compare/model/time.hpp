// A predicted run: the time of each phase by cause, and the time of each step.
#pragma once

#include "app/compare/model/rates.hpp"
#include "app/compare/sums.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
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
  void add(const TimeByCause& step, std::int64_t count = 1);

  std::int64_t size() const;
  const TimeByCause& front() const { return alike_.front().step; }
  const TimeByCause& back() const { return alike_.back().step; }
  const TimeByCause& operator[](std::int64_t n) const;
  TimeByCause sum() const;
  double median() const;

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
  Steps steps = {};                ///< none where a figure is missing

  /// Of all phases that are predicted.
  TimeByCause time() const;
  /// The figures that are missing; empty: the run is predicted.
  std::set<std::string> missing() const;
  std::string why_not() const;  ///< the same as a text
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
