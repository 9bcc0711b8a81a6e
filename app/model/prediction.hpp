// What a model says of a run: each phase's time, split by cause, and the time of each sweep.
#pragma once

#include "app/common/archive.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace memstencil::model {

/// Where time goes.
enum class Cause { HostMemory, DeviceMemory, Link, Migration, FirstTouch, Allocation, Launch };
inline constexpr std::array all_causes{Cause::HostMemory, Cause::DeviceMemory, Cause::Link,  Cause::Migration,
                                       Cause::FirstTouch, Cause::Allocation,   Cause::Launch};
/// "host memory", "device memory", ...
std::string_view name(Cause cause);

/// Seconds by cause.
class Split {
public:
  Split() = default;
  Split(Cause cause, double seconds) { (*this)[cause] = seconds; }

  double& operator[](Cause cause) { return seconds_[static_cast<std::size_t>(cause)]; }
  double operator[](Cause cause) const { return seconds_[static_cast<std::size_t>(cause)]; }
  double total() const;
  Split& operator+=(const Split& other);
  Split& operator*=(double factor);
  bool operator==(const Split&) const = default;

private:
  std::array<double, all_causes.size()> seconds_{};
};
Split operator+(Split a, const Split& b);

/// The steps of a run in their order: its sweeps, or the iterations of transpose. Those that are alike and
/// follow each other are kept once, since a run may have 10^9 of them.
class Steps {
public:
  void add(const Split& step, std::int64_t count = 1);

  std::int64_t size() const;
  const Split& front() const { return alike_.front().step; }
  const Split& back() const { return alike_.back().step; }
  const Split& operator[](std::int64_t n) const;
  Split sum() const;
  /// The median of the seconds of the first `count` steps; of all where there are fewer.
  double median_of_first(std::int64_t count) const;

private:
  struct Alike {
    Split step;
    std::int64_t count;
  };
  std::vector<Alike> alike_;
};

struct PhasePrediction {
  std::string phase;
  Split split;
};

struct Prediction {
  std::vector<PhasePrediction> phases;  ///< in the order in which they run
  Steps sweeps;
  std::vector<std::string> notes;  ///< what the reader has to know to read the figures rightly

  /// Over all phases.
  Split split() const;
  double total() const { return split().total(); }
  /// As results carry it: causes that take no time are left out.
  Named<double> seconds_by_cause() const;
};

}  // namespace memstencil::model
