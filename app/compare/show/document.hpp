// The answer as a document: sentences and tables, in the order in which a person reads them.
#pragma once

#include "app/compare/show/screen.hpp"

#include <optional>

namespace memstencil::compare {

/// Of answer_of(), or of predictions_of(). It computes nothing: every figure is the answer's.
/// @param screen of results; nothing of predictions
Document document_of(const Record& answer, const std::optional<Screen>& screen = {});

}  // namespace memstencil::compare
