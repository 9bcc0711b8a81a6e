// Figures of ours that stand beside published ones.
#pragma once

#include "app/compare/reference.hpp"
#include "app/compare/side.hpp"
#include "app/compare/table.hpp"

#include <string>
#include <vector>

namespace memstencil::compare {

/// A figure of ours beside a published one.
struct Counterpart {
  const Side* side = nullptr;
  const Entry* entry = nullptr;
  double ours = 0;    ///< in the unit of the published figure
  double origin = 0;  ///< of a difference: our figure that it is taken from; otherwise 0
  /// "other memory: system in the source"; empty where ours is the same case.
  std::string differs = {};
};

/// Of each side its results that agree with the figure's `where`; where it has none, those that
/// agree but for the memory of its `beside`.
std::vector<Counterpart> counterparts(const PublishedFigure& figure,
                                      const std::vector<Side>& sides);

/// "410 to 450", "-100 against device": the figure as plots name it, without its unit.
std::string in_plots(const PublishedFigure& figure);

/// Each published figure with the figures of ours that it fits, in their unit.
Table published_table(const Reference& reference, const std::vector<Side>& sides);

/// Of each reference one sentence or two: how many of its figures have a counterpart, and which of
/// ours lies farthest from its own.
std::vector<std::string> published_in_words(const std::vector<Reference>& references,
                                            const std::vector<Side>& sides);

}  // namespace memstencil::compare
