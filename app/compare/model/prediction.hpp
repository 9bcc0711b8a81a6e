// A predicted run: the time of each phase by cause, and the time of each sweep.
#pragma once

#include "app/base/record/archive.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace memstencil::model {

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
inline constexpr std::array all_causes{Cause::HostMemory, Cause::DeviceMemory, Cause::Link,
                                       Cause::Migration,  Cause::FirstTouch,   Cause::Allocation,
                                       Cause::Launch,     Cause::Messages};
/// "host memory", "device memory", ...
std::string_view name(Cause cause);

/// Seconds by cause.
class TimeByCause {
public:
  TimeByCause() = default;
  TimeByCause(Cause cause, double seconds) { (*this)[cause] = seconds; }

  double& operator[](Cause cause) { return seconds_[static_cast<std::size_t>(cause)]; }
  double operator[](Cause cause) const { return seconds_[static_cast<std::size_t>(cause)]; }
  double total() const;
  TimeByCause& operator+=(const TimeByCause& other);
  TimeByCause& operator*=(double factor);
  bool operator==(const TimeByCause&) const = default;

private:
  std::array<double, all_causes.size()> seconds_{};
};
TimeByCause operator+(TimeByCause a, const TimeByCause& b);

/// The steps of a run in their order: its sweeps, or the iterations of transpose. Those that are
/// alike and follow each other are kept once, since a run may have 10^9 of them.
class Steps {
public:
  void add(const TimeByCause& step, std::int64_t count = 1);

  std::int64_t size() const;
  const TimeByCause& front() const { return alike_.front().step; }
  const TimeByCause& back() const { return alike_.back().step; }
  const TimeByCause& operator[](std::int64_t n) const;
  TimeByCause sum() const;
  /// The median of the seconds of the first `count` steps; of all where there are fewer.
  double median_of_first(std::int64_t count) const;

private:
  struct Alike {
    TimeByCause step;
    std::int64_t count;
  };
  std::vector<Alike> alike_;
};

struct PhasePrediction {
  std::string phase;
  TimeByCause time;
};

struct Prediction {
  std::vector<PhasePrediction> phases;  ///< in the order in which they run
  Steps sweeps;
  std::vector<std::string> notes;  ///< what the reader has to know to read the figures rightly

  /// Over all phases.
  TimeByCause time_by_cause() const;
  double total() const { return time_by_cause().total(); }
};

}  // namespace memstencil::model
