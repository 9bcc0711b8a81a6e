// A note on steps of the host that take very different times.
#pragma once

#include "app/base/machine/report_head.hpp"
#include "app/base/record/statistics.hpp"

#include <optional>
#include <string>

namespace memstencil {

/// A line where the longest step took more than five times the median, or the median more than five
/// times the shortest: what may do that, and what helps. None otherwise.
/// @param step "sweep" or "transpose"
Lines spread_note(const std::string& step, const Spread& seconds,
                  const std::optional<Provenance>& provenance);

}  // namespace memstencil
