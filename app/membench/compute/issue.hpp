// Probe issue, what is concluded from its points; and what its threads have to end with, worked out
// on the host, independently of the kernels.
#pragma once

#include "app/common/record/record.hpp"
#include "kernels/probes/issue.hpp"

#include <optional>
#include <span>

namespace memstencil::membench::issue_probe {

/// The result of a thread in lane `lane` after `instructions` instructions of the kind (a multiple
/// of ilp), in `ilp` independent ones.
double expected_result(probes::Instruction instruction, int ilp, int lane, int instructions);

/// The tolerance: 0 but where the special function units approximate.
double allowed_error(probes::Instruction instruction, int ilp);

/// Instructions (of a warp) that an SM issued a clock with so many warps
/// and independent instructions.
struct IssuePoint {
  int warps = 0, ilp = 0;
  double per_clock = 0, cycles = 0;
};

/// Points that come this close to the peak have hidden the latency.
inline constexpr double hidden = 0.95;

/// The fewest warps with which `ilp` independent instructions come to `hidden` of the peak of all
/// points; nothing where none do.
std::optional<int> warps_to_hide(std::span<const IssuePoint> points, int ilp);

/// {peak_per_clock, peak_lanes_per_clock, warps_to_hide: {"ilp 1": warps or null, ...},
/// one_quarter: {peak_per_clock, of_peak}}. `one_quarter`: the points of warps in one quarter.
Record issue_summary(std::span<const IssuePoint> points, std::span<const IssuePoint> one_quarter);

/// Columns warps, ilp, per_clock, cycles.
Record issue_table(std::span<const IssuePoint> points);

}  // namespace memstencil::membench::issue_probe
