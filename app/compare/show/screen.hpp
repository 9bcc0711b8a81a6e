// The screen: what a stranger reads first. Who is faster and why, where arrays should lie, one
// table, and what to know before quoting it. All figures are here; rendering computes nothing.
#pragma once

#include "app/compare/judge/ranking.hpp"
#include "app/compare/show/table.hpp"

#include <optional>
#include <string>
#include <vector>

namespace memstencil::compare {

/// What one side took.
struct Cell {
  std::optional<double> seconds = {};
  bool scaled = false;                 ///< from another number of steps
  std::optional<double> half = {};     ///< half of its 95 % interval, a fraction
  std::optional<double> to_best = {};  ///< over the seconds of the side's best row of the block
  std::optional<Ratio> to_base = {};   ///< the base's seconds over these
};

struct Row {
  std::string name;
  std::vector<Cell> cells;  ///< a side each
  std::string why = {};
};

struct Block {
  std::string title;
  std::vector<Row> rows = {};
};

struct Screen {
  std::string title;
  std::vector<std::string> sides;     ///< the first is the base
  std::vector<std::string> headline;  ///< who is how many times as fast, and why
  std::string placement = {};         ///< where to put arrays
  std::vector<Block> blocks = {};
  std::string also = {};
  std::vector<std::string> know = {};  ///< before quoting it
};

/// @param facts of fact_rows() and @param notes of notes_of() of the runs that are shown
/// @param rates of probe_pairs()
Screen screen_of(const std::vector<Side>& sides, const std::vector<Problem>& problems,
                 const Record& facts, const std::vector<std::string>& notes, const Record& rates);

/// The sides with the runs of the works that the screen shows: their settings and notes matter.
std::vector<Side> shown_sides(const std::vector<Side>& sides, const std::vector<Problem>& problems);

/// Figures and words as members.
Record record_of(const Screen& screen);

/// As sections of a document: for Markdown and the page.
std::vector<Section> sections_of(const Screen& screen);

/// @param width characters of a line at most
/// @param full with the interval of every cell
std::string to_text(const Screen& screen, std::size_t width, bool full);

}  // namespace memstencil::compare
