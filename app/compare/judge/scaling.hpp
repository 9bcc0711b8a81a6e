// Strong and weak scaling: of runs of one problem that differ in their number of ranks.
#pragma once

#include "app/compare/predict/model_rows.hpp"

#include <vector>

namespace memstencil::compare {

/// Strong and weak scaling: runs of one problem that differ in their number of ranks. Curve by
/// curve, rising in ranks; of several paths of the messages the fastest.
Record scaling_rows(const std::vector<Side>& sides);

}  // namespace memstencil::compare
