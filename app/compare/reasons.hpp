// Sentences that say in quantities why one run takes longer than another.
#pragma once

#include "app/compare/costs.hpp"

#include <cstdint>
#include <map>
#include <string>

namespace memstencil::compare {

/// "0.659 s", "39.3 s", "57.1 ms": three digits.
std::string short_seconds(double seconds);

/// The limit of the steps: "bound by the link at 55 GB/s, 0.85 of it reached".
std::string bound(const Costs& costs);

/// " at 0.96 of the 3016 GB/s of device memory".
std::string pace(const Costs& costs);

/// The reasons why `slow` takes longer than `fast`: the greatest differences, the largest
/// first. "each sweep 62 times as long: bound by the link at 55 GB/s, 0.85 of it reached".
std::string why_slower(const Costs& slow, const Costs& fast, std::int64_t steps);

/// Of two with equal steps the phase in which `slow` takes longer than `fast` by the most:
/// "download"; "slow sweeps" for what sweeps took beyond their median.
std::string separating_phase(const Costs& slow, const Costs& fast, std::int64_t steps);

/// How many times as high a limit is, by its memory.
using ToldLimits = std::map<std::string, double>;

/// The reasons why the same case takes another time elsewhere, by parts of the time: "sweeps
/// 0.356 against 0.514 s: device memory 1.41 times as fast (4266 against 3019 GB/s)".
/// @param told limits that other rows of the same table have told: none is told twice
std::string why_different(const Costs& here, const Costs& there, std::int64_t steps,
                          ToldLimits* told = nullptr);

}  // namespace memstencil::compare
