// All that the answer says of the sides besides their ranking: settings that differ, notes,
// scaling, published figures.
#pragma once

#include "app/compare/read/sample.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace memstencil::compare {

/// [{fact, values: {side: "570 or 580"}}]: settings that are known and in which the sides, or the
/// runs of one side, differ, builds first. A part of another machine (clocks of two kinds of GPU)
/// is no setting.
/// @param brief of more values than three the others are counted, and long ones are cut
Record fact_rows(const std::vector<Side>& sides, bool brief = false);
/// "driver: a 570; b 580"
/// @param facts of fact_rows()
std::vector<std::string> sentences_of(const Record& facts);

/// Hosts that fall out, clocks held down, runs that stood still, ...
std::vector<std::string> notes_of(const std::vector<Side>& sides);

/// Strong and weak scaling: runs of one problem that differ in their number of ranks. Curve by
/// curve, rising in ranks; of several paths of the messages the fastest.
Record scaling_rows(const std::vector<Side>& sides);

/// The parts of the fastest one's time: "73 % sweeps at 0.95 of the 3018 GB/s of device memory".
std::string why_fast(const Sample& best, std::int64_t steps);

/// Why one case is faster than another, in a sentence and in a few words. It is given only if it
/// points the same way as the difference, explains at least half of it, and comes from limits that
/// were undisturbed and whose ranges do not overlap, or from a phase that was timed.
struct Cause {
  std::string sentence, brief;
};
std::optional<Cause> cause_of(const Group& fast, const Group& slow, std::int64_t steps);

/// The part in which a run takes longest in excess of another one: "release".
struct Excess {
  std::string part;
  double seconds = 0;  ///< of the part
};
Excess greatest_excess(const Sample& here, const Sample& best, std::int64_t steps);

/// Where pages of memory that can move were, and whether they moved; empty of other memory.
std::string pages_text(const Sample& sample);

/// A published figure, or a range where low and high differ; without an upper end high is infinite.
struct PublishedFigure {
  /// As the answer has it, without a result of ours: that has to be of its `program` and `probe`
  /// (of membench), with the members of `where`.
  Record row = {};
  /// Then it is the difference to the result with these members, or the ratio over it.
  std::optional<Record> against = {};
  double low = 0, high = 0;
  std::string column = {};  ///< of membench's row: "steady_gbs"; otherwise the unit
};

struct Reference {
  std::string name;
  std::vector<PublishedFigure> figures = {};
};

/// @throws Failure(Usage) with one line that names the file, the line and what is valid
Reference read_reference(const std::string& path);

/// Each published figure next to those of ours that have its members, or alone.
Record published_rows(const std::vector<Reference>& references, const std::vector<Side>& sides);

}  // namespace memstencil::compare
