// The answer as a document: sentences and tables, in the order in which a person reads them.
#pragma once

#include "app/compare/show/table.hpp"

namespace memstencil::compare {

/// Of answer_of(), or of predictions_of(). It computes nothing: every figure is the answer's.
Document document_of(const Record& answer);

}  // namespace memstencil::compare
