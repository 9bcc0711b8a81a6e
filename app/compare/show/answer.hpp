// The whole answer as one JSON object, from which every report is made, and its parts:
// docs/reference/comparison.md has their members.
#pragma once

#include "app/compare/judge/ranking.hpp"
#include "app/compare/judge/rows.hpp"
#include "app/compare/predict/predictions.hpp"

#include <string>
#include <vector>

namespace memstencil::compare {

struct Answer {
  Record record = {};
  Record every = {};  ///< a block for each problem, as those of the screen
};

/// The first side is the base.
/// @param all figures; otherwise those of the screen and of published ones
/// @throws Failure as those who read a run's members
Answer answer_of(const std::vector<Side>& sides, const std::vector<Reference>& references,
                 bool all);

/// Of machines that are only described: all figures.
Answer answer_of(const Predictions& predictions, const std::vector<Reference>& references);

/// Its headline, placement and blocks.
Record screen_of(const std::vector<Side>& sides, const std::vector<Problem>& problems);
/// A block for each problem, with all placements.
Record every_problem(const std::vector<Side>& sides, const std::vector<Problem>& problems);

/// One or two sentences for each side: who is how many times as fast, like with like, then each
/// side at its best; of one side what it takes, and its best.
std::vector<std::string> headline_of(const std::vector<Side>& sides,
                                     const std::vector<Problem>& problems);

/// Where to put arrays, for all sides: the best placement of the problem, and what others cost per
/// run and per step; empty if there is one.
std::string placement_of(const std::vector<Side>& sides, const Problem& problem);

/// "Also, how many times as fast ...: himeno L 1.40; heat ...": of the largest other works, like
/// with like.
/// @param rates of probe_pairs()
std::string also_of(const std::vector<Problem>& problems, const std::vector<std::string>& sides,
                    const Record& rates);

/// Before quoting it: settings that differ in the runs that are shown, notes on them, and the runs
/// left out.
std::vector<std::string> know_of(const std::vector<Side>& sides,
                                 const std::vector<Problem>& problems);

/// The work whose numbers of GPUs are shown: the first one's, otherwise the largest of himeno;
/// null: all ran on one number.
const Problem* scaled_work(const std::vector<Problem>& problems);

/// "managed memory with a prefetch", "device memory filled by the host".
std::string placement_words(const Case& of);
/// "himeno XL": without the extents of a size that has a name.
std::string short_work(std::string work);
/// "himeno XL, 3000 sweeps"
std::string work_words(const Ranked& row);
/// "4 GPUs", "1 rank".
std::string ranks_words(const Sample& sample);

/// membench's rows: of each side, as plots draw them; and side by side, of probes with many points
/// those that follow from others.
Record probe_rows_of(const std::vector<Side>& sides);
/// @param probes of probe_rows_of()
Record probe_pairs(const Record& probes, const std::string& base);

/// The cases in which the last side is slower than the first one, with its whole interval, by more
/// than `allowed` (a fraction): a line; empty if there is none.
/// @throws Failure(Usage) if no case has two processes on both
std::string slower_than_allowed(const std::vector<Side>& sides, double allowed);

/// The runs for spreadsheets and Python, comma-separated, the names of the columns first: a row a
/// repeat; and of membench a row a point. A file's unknown facts are empty.
std::string runs_csv(const std::vector<Side>& sides);
std::string probes_csv(const std::vector<Side>& sides);

}  // namespace memstencil::compare
