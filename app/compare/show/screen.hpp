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
  bool assumed = false;                ///< figures behind it are assumed
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

/// Its headline, placement and blocks.
Screen screen_of(const std::vector<Side>& sides, const std::vector<Problem>& problems);

/// A block for each problem, with all placements.
std::vector<Block> every_problem(const std::vector<Problem>& problems);

/// The work whose numbers of GPUs are shown: the first one's, otherwise the largest of himeno;
/// null: all ran on one number.
const Problem* scaled_work(const std::vector<Problem>& problems);

/// Figures and words as members.
Record record_of(const Screen& screen);

/// As sections of a document: for Markdown and the page.
std::vector<Section> sections_of(const Screen& screen);

/// @param width characters of a line at most
/// @param full with the interval of every cell
std::string to_text(const Screen& screen, std::size_t width, bool full);
/// These blocks of it alone.
std::string to_text(const Screen& screen, const std::vector<Block>& blocks, std::size_t width);

}  // namespace memstencil::compare
