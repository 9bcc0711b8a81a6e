// The report as one HTML file that needs nothing else: tables, sentences, plots within.
#pragma once

#include "app/compare/plots.hpp"
#include "app/compare/report.hpp"

#include <string>
#include <vector>

namespace memstencil::compare {

std::string to_html(const Report& report, const std::vector<Plot>& plots);

}  // namespace memstencil::compare
