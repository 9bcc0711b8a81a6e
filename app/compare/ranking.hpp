// Memory spaces set against each other: the runs of one problem, brought
// to a common number of steps.
#pragma once

#include "app/compare/costs.hpp"
#include "app/compare/table.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace memstencil::compare {

/// A run in a ranking.
struct Contender {
  Costs costs;
  double seconds = 0;  ///< of all phases, with the common number of steps
};

/// The times of a side's runs of one problem in each memory; the fastest first.
struct RankedSide {
  const Side* side = nullptr;
  std::vector<Contender> contenders = {};
  std::vector<std::string> left_out =
      {};  ///< memories that ran another number of steps, and not steadily
  std::optional<double> spread =
      {};  ///< of the wall times of one case, where one ran several times

  const Contender* find(const std::string& memory) const;
  /// A lead within it says nothing: the spread that was seen, or 5 %, which two
  /// runs of one case may differ by.
  double noise() const;
};

struct Problem {
  std::string label;  ///< "himeno XL (512x512x1024), single"
  std::string step;
  double bytes = 0;
  std::int64_t steps = 0;          ///< that most of its runs made; the others are brought to it
  std::vector<RankedSide> sides;   ///< those that ran it
  std::size_t contenders() const;  ///< of all sides
};

/// All problems: the one that most runs share first, himeno before transpose; of equals the one
/// with the fastest variant or kind of sweep.
std::vector<Problem> problems_of(const std::vector<Side>& sides);

/// A ranking by wall time, a row a run: memory, seconds, ratio to the fastest, why. Its title says
/// which is the fastest and what is not slower than the spread.
Table ranking_table(const Problem& problem, const RankedSide& ranked, std::size_t most_rows);
/// The same for sides that ran the problem in one memory each: a row a side.
Table ranking_of_sides(const Problem& problem);

/// The problems but the first, a row a side: the fastest memory of each. For sides that ran several
/// problems in one memory each.
Table other_problems(const std::vector<Problem>& problems, std::size_t most_rows);

/// The comparison of `of` with `to` for the same memories: a row a memory with the ratios
/// of the speeds of a whole run and of a step, and why.
Table against(const Problem& problem, const RankedSide& of, const RankedSide& to,
              std::size_t most_rows);

/// "himeno XL (512x512x1024), single x 100 (15.03 GB of arrays)".
std::string title_of(const Problem& problem);

}  // namespace memstencil::compare
