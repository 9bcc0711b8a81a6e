// The answer as one HTML page that needs no other file: docs, style, script and words of it are
// files next to the program.
#pragma once

#include "app/compare/document.hpp"
#include "app/compare/pictures.hpp"

#include <string>
#include <vector>

namespace memstencil::compare {

/// @throws Failure(Other) where a file of the page is missing
std::string page_of(const Document& document, const std::vector<Picture>& pictures);

}  // namespace memstencil::compare
