// Strong and weak scaling: of runs of one problem that differ in their number of ranks.
#pragma once

#include "app/compare/predict/model_rows.hpp"

#include <string>
#include <vector>

namespace memstencil::compare {

/// Strong and weak scaling: runs of one problem that differ in their number of ranks. Curve by
/// curve, rising in ranks; of several paths of the messages the fastest.
Record scaling_rows(const std::vector<Side>& sides, const Predictor& predictor);
/// A sentence for each curve: where more ranks do not pay.
std::vector<std::string> scaling_sentences(const Record& rows);

}  // namespace memstencil::compare
