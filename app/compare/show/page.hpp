// The answer as one HTML page that needs no other file.
#pragma once

#include "app/compare/show/document.hpp"
#include "app/compare/show/plots.hpp"

#include <string>
#include <vector>

namespace memstencil::compare {

/// One HTML page that needs no other file: style and words of it are files next to the
/// program. @throws Failure(Other) if one of those is missing
std::string to_page(const Document& document, const std::vector<Picture>& pictures);

}  // namespace memstencil::compare
