// The answer as a document: the screen, and sentences and tables behind it.
#pragma once

#include "app/compare/show/answer.hpp"
#include "app/compare/show/table.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace memstencil::compare {

/// It computes nothing: every figure is the answer's.
struct Document {
  Screen screen;
  std::vector<Block> every = {};    ///< problem, with all placements
  std::vector<Section> first = {};  ///< printed behind the screen
  std::vector<Section> rest = {};   ///< with --full
};
Document document_of(const Answer& answer);

/// @param width characters of the screen's lines at most
std::string to_text(const Document& document, std::size_t width, bool full);
/// The screen and the sections that are printed behind it.
std::vector<Section> first_sections(const Document& document);

}  // namespace memstencil::compare
