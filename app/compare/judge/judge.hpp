// Memories and sides ranked by wall time: one problem, brought to a common number of steps; and
// each side at its best, of any kind of step, in any memory, on any number of GPUs. The ratio of
// two times has a 95 % interval, from repeats and from processes.
#pragma once

#include "app/compare/read/sample.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace memstencil::compare {

/// Seconds of equal runs: of each process those of its repeats.
using Times = std::vector<std::vector<double>>;
/// Of the runs of a case, brought to so many steps. A file is a process.
Times times_of(const Group& group, std::int64_t steps);

/// A ratio of two times with its interval. Without a spread that was measured on either side the
/// interval has no ends.
struct Ratio {
  double value = 1, low = 0, high = 0;  ///< 0 and 0: no spread was measured
  int lone = 0;                         ///< sides of one process: repeats show no other process
  bool predicted = false;               ///< the interval is that of the figures behind both

  bool measured() const { return low > 0; }
  /// Does the interval leave out 1?
  bool told() const { return measured() && (low > 1 || high < 1); }
  /// "± 4 %", "± 7 %, one process each", "no spread was measured"; uneven: "1.55 to 2.10"
  std::string in_words() const;
};

/// The times of `here` over those of `there`: the ratio of the means of their logarithms, by Welch:
/// over the medians of processes where both have two, otherwise over the repeats; then it is wider
/// by 5 %, or by three standard deviations of the repeats.
/// @param value of the runs that stand for their cases, which is shown; the interval includes it
Ratio ratio_of(const Times& here, const Times& there, double value);

/// Half the 95 % interval of one time as a fraction; nothing for one run.
std::optional<double> half_width(const Times& times);

/// "single", "tuned": the same task can be computed by another.
std::string kind_of(const Group& group);
/// "single sweeps", "3 fused sweeps, packed"; of a transpose its variant.
std::string kind_words(const Case& of);
/// "himeno XL (512x512x1024)", on as many ranks, whatever their decomposition; or on any number.
std::string task_of(const Group& group, bool with_ranks = true);

/// A memory of a side.
struct Ranked {
  const Group* group = nullptr;
  std::string memory;
  std::int64_t steps = 0;              ///< the common number
  double seconds = 0;                  ///< of all phases, with the common number of steps
  double step = 0, once = 0;           ///< seconds = once + steps * step
  bool extrapolated = false;           ///< the run made another number of steps
  double to_best = 1;                  ///< over those of the side's fastest memory
  std::optional<double> to_base = {};  ///< over those of the base in the same memory

  const Sample& sample() const { return group->middle(); }
};

/// In memory of one kind, used alike, with settings that agree.
bool in_one_memory(const Case& a, const Case& b);

/// One kind of step. A task (himeno XL) may have several: single, three fused sweeps.
struct Problem {
  std::string label;  ///< "himeno XL (512x512x1024), single"
  std::string task;   ///< "himeno XL (512x512x1024)", with the number of ranks
  std::string work;   ///< the same without
  int ranks = 1;
  std::string kind;  ///< "single"
  std::string step;
  double bytes = 0;        ///< of all arrays
  std::int64_t steps = 0;  ///< that most runs of the work made; the others are brought to it
  std::vector<std::vector<Ranked>> sides;  ///< as the sides are; the fastest memory first
  std::vector<std::string> left_out;       ///< of all its work: memories without a steady pace

  std::size_t rows() const;
  /// The fastest of the first side that has one.
  const Ranked& first() const;
  /// As all its rows have it, on any number of ranks.
  std::string words() const { return kind_words(first().group->what); }
  /// "himeno XL (512x512x1024), 100 sweeps (15.03 GB of arrays)"
  std::string title() const;
};

/// All problems: first the one that most sides have, in several memories, himeno before others. The
/// first side is the base.
std::vector<Problem> problems_of(const std::vector<Side>& sides);

/// The side's fastest row of the work, or null.
/// @param ranks only on this number
const Ranked* best_of(const std::vector<Problem>& problems, const std::string& work,
                      std::size_t side, std::optional<int> ranks = {});

/// A side and the base with one kind of step in one memory on as many ranks: the base's fastest row
/// that the side has, too, of the first such problem.
/// @param only of this problem; null: of any
struct Like {
  const Ranked *here, *there;
};
std::optional<Like> like_with_like(const std::vector<Problem>& problems, std::size_t side,
                                   const Problem* only = nullptr);

/// The seconds of `slow` over those of `fast`, of one work. Of predictions on one machine both are
/// at the same end of its figures, on two machines each at either.
Ratio times_as_fast(const Ranked& fast, const Ranked& slow);

/// Half the interval of a row's time as a fraction: of its repeats, or of its prediction.
std::optional<double> half_width(const Ranked& row);

/// A case of two sides. One of two drivers has a pair for each of them.
struct Pair {
  std::string label;    ///< the case, with the settings of both
  const Group* base;    ///< the base's
  Ratio interval = {};  ///< seconds of all phases over the base's
};
std::vector<Pair> pairs_of(const Side& base, const Side& side);

/// The cases in which the last side is slower than the first one, with its whole interval, by more
/// than `allowed` (a fraction): a line; empty if there is none.
/// @throws Failure(Usage) if no case has two processes on both
std::string slower_than_allowed(const std::vector<Side>& sides, double allowed);

// All that the answer says of the sides besides their ranking: settings that differ, notes,
// published figures.

/// [{fact, values: {side: "570 or 580"}}]: settings that are known and in which the sides, or the
/// runs of one side, differ, builds first. A part of another machine (clocks of two kinds of GPU)
/// is no setting.
/// @param brief of more values than three the others are counted, and long ones are cut
Record fact_rows(const std::vector<Side>& sides, bool brief = false);
/// "driver: a 570; b 580"
/// @param facts of fact_rows()
std::vector<std::string> sentences_of(const Record& facts);

/// Clocks held down, runs that stood still, ...
std::vector<std::string> notes_of(const std::vector<Side>& sides);

/// The parts of the fastest one's time: "73 % sweeps at 0.95 of the 3018 GB/s of device memory".
std::string why_fast(const Sample& best, std::int64_t steps);

/// Why one case is faster than another, in a sentence and in a few words. It is given only if it
/// points the same way as the difference, explains at least half of it, and comes from limits that
/// were undisturbed and whose ranges do not overlap, or from a phase that was timed.
struct Cause {
  std::string sentence, brief;
};
std::optional<Cause> cause_of(const Group& fast, const Group& slow, std::int64_t steps);

/// The part in which a run takes longest in excess of another one, "release", and its seconds.
std::pair<std::string, double> greatest_excess(const Sample& here, const Sample& best,
                                               std::int64_t steps);

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

/// The figures of a file.
using Reference = std::vector<PublishedFigure>;
/// @throws Failure(Usage) with one line that names the file, the line and what is valid
Reference read_reference(const std::string& path);

/// Each published figure next to those of ours that have its members, or alone.
Record published_rows(const std::vector<Reference>& references, const std::vector<Side>& sides);

}  // namespace memstencil::compare
