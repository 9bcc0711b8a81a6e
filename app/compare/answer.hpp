// The whole answer as one JSON object, from which every renderer draws, and its parts:
// docs/compare.md has their members.
#pragma once

#include "app/compare/model_rows.hpp"
#include "app/compare/ranking.hpp"
#include "app/compare/reference.hpp"
#include "app/compare/side.hpp"

#include <string>
#include <vector>

namespace memstencil::compare {

/// @param base the number of the side that the others are set against
/// @throws Failure as those who read a run's members
Record answer_of(const std::vector<Side>& sides, std::size_t base,
                 const std::vector<Reference>& references);

/// The cases in which the last side is slower than the base by more than `allowed` (a fraction),
/// and by more than the spread: a line; empty where there is none.
/// @throws Failure(Usage) where they have no case in common
std::string slower_than_allowed(const std::vector<Side>& sides, std::size_t base, double allowed);

Record side_rows(const std::vector<Side>& sides);
Record ranking_rows(const std::vector<Side>& sides, const std::vector<Problem>& problems);
Record case_rows(const std::vector<Side>& sides);
/// Each case that a side has in common with the base.
Record pair_rows(const std::vector<Side>& sides, std::size_t base);

/// Settings that are known and in which the sides, or the runs of one side, differ. What is another
/// part of another machine (clocks of two kinds of GPU) is no setting.
Record fact_rows(const std::vector<Side>& sides);

/// Strong and weak scaling: runs of one problem that differ in their number of ranks. Curve by
/// curve, rising in ranks; of several paths of the messages the fastest.
Record scaling_rows(const std::vector<Side>& sides, const Predictor& predictor);
/// A sentence for each curve: where more ranks do not pay.
std::vector<std::string> scaling_sentences(const Record& rows);

/// membench's rows: of each side, as plots draw them; and side by side, of probes with many points
/// those that follow from others.
Record probe_rows_of(const std::vector<Side>& sides);
Record probe_pairs(const std::vector<Side>& sides, std::size_t base);

/// What is strange about the runs: hosts that fall out, clocks held down, figures above the theory.
/// @param cases of case_rows()
std::vector<std::string> notes_of(const std::vector<Side>& sides, const Record& cases);

}  // namespace memstencil::compare
