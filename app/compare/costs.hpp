// The seconds of a run of himeno, or of one variant of transpose, by what they went into.
#pragma once

#include "app/compare/side.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace memstencil::compare {

/// Seconds by cause. Pace: the steps (sweeps, or iterations) at their median.
/// Beyond: what they took more.
enum class Part { Allocate, Initialise, Upload, PreTouch, Pace, Beyond, Ranks, Download, Free };
inline constexpr std::array all_parts{Part::Allocate, Part::Initialise, Part::Upload,
                                      Part::PreTouch, Part::Pace,       Part::Beyond,
                                      Part::Ranks,    Part::Download,   Part::Free};

/// Seconds by part.
class Seconds {
public:
  double& operator[](Part part) { return seconds_[static_cast<std::size_t>(part)]; }
  double operator[](Part part) const { return seconds_[static_cast<std::size_t>(part)]; }
  double total() const;

private:
  std::array<double, all_parts.size()> seconds_{};
};

struct Costs {
  const Entry* entry = nullptr;  ///< himeno's speed, or the bandwidth of a variant
  std::string problem =
      {};                ///< "himeno XL (512x512x1024), single": what does not depend on the memory
  std::string key = {};  ///< equal where the problems are
  std::string memory = {};       ///< "managed, filled by host"
  std::string step = {};         ///< "sweep", "transpose"
  double bytes = 0;              ///< of all arrays
  std::int64_t steps = 0;        ///< that ran
  double median = 0, first = 0;  ///< seconds of a step
  double tail = 0;               ///< the median of the second half
  double spread = 0;     ///< the middle half of the steps of the second half, over their median
  double all_steps = 0;  ///< seconds
  Seconds once = {};     ///< the parts that do not grow with the steps, and Ranks of all steps
  std::string limit_kind = {};
  double limit_gbs = 0, fraction = 0;  ///< of the limit, by a step at the median

  /// Is the second half as fast as the whole, so that more steps would go on like it?
  bool steady() const;
  /// Within this, relative, its steps are as long as those of the other: the wider spread, or 2 %.
  double equal_steps_within(const Costs& other) const;
  bool as_fast_a_step_as(const Costs& other) const;
  /// Of a run of so many steps: as measured, or with more or fewer at the pace of the second half.
  Seconds at(std::int64_t count) const;
};

/// Of the entries of the side, in their order: himeno's cases, and the variants
/// of transposes of one shape.
std::vector<Costs> costs_of(const Side& side);

/// (Longest - shortest) / middle of the wall times, the largest over the himeno cases of the side
/// that ran several times; nothing where none did.
std::optional<double> spread_of_wall_times(const Side& side);

}  // namespace memstencil::compare
