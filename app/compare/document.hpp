// The answer as a document: sentences and tables, in the order in which a person reads them.
#pragma once

#include "app/compare/table.hpp"

namespace memstencil::compare {

/// Of answer_of(), or of predictions_of(). It computes nothing: every figure is the answer's.
Document document_of(const Record& answer);
/// Of --predict.
Document predicted_document(const Record& answer);

/// The texts of a member of the answer.
std::vector<std::string> texts(const Record& answer, const char* member);
/// Unless it is empty.
void add(std::vector<Section>& sections, Section section);

}  // namespace memstencil::compare
