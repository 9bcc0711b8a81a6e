// The files that compare writes: the folder of plots and the HTML report.
#pragma once

#include "app/compare/options.hpp"
#include "app/compare/reference.hpp"
#include "app/compare/report.hpp"
#include "app/compare/side.hpp"

#include <string>
#include <vector>

namespace memstencil::compare {

/// Before anything is drawn: can they be written, and is nothing in the way?
/// @param input the file of --input, empty without: like the other files that are
///   read, it is never replaced
/// @throws Failure(Other), Failure(Usage), or as find_plotter()
void check_outputs(const Options& options, const std::string& input);

/// Draws and writes what the options ask for. Files appear whole or not at all.
/// @param predictions predictions_to_draw() of machines that are only described, or null
void write_outputs(const Options& options, const Report& report, const std::vector<Side>& sides,
                   const std::vector<Reference>& references, const Record& predictions);

}  // namespace memstencil::compare
