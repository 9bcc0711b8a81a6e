// The plots: drawn by Python scripts, from what compare has read and grouped.
#pragma once

#include "app/compare/reference.hpp"
#include "app/compare/scaling.hpp"
#include "app/compare/side.hpp"
#include "app/compare/workshop.hpp"

#include <string>
#include <vector>

namespace memstencil::compare {

struct Plot {
  std::string name;  ///< NAME.png and NAME.svg
  std::string title, caption;
  std::string group = {};  ///< "Himeno": plots of a group follow each other
  bool lead = false;       ///< among the three that stand first on a page
  std::string svg;         ///< the SVG in base64
};

/// A Python and the scripts, found before anything is drawn.
struct Plotter {
  std::string python, script;
};
/// The first of python3 on PATH and /usr/bin/python3 that has what the scripts need.
/// @throws Failure(Machine) that names the packages; Failure(Other) where the
/// scripts are not beside the program
Plotter find_plotter();

enum class Pictures { Svg, SvgAndPng };

/// Draws every plot that the results allow into the workshop.
/// @param predictions predictions_to_draw() of machines that are only described, or null
/// @throws Failure(Other) with the script's last line where it fails
std::vector<Plot> draw(const Plotter& plotter, const Workshop& workshop, Pictures pictures,
                       const std::vector<Side>& sides, const std::vector<Reference>& references,
                       const Record& predictions);

}  // namespace memstencil::compare
