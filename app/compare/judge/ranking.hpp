// Memories and sides ranked by wall time: one problem, brought to a common number of steps.
#pragma once

#include "app/compare/judge/intervals.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace memstencil::compare {

/// "single", "tuned": the same task can be computed by another.
std::string kind_of(const Group& group);
/// "himeno XL (512x512x1024)", on as many ranks, whatever their decomposition; or on any number.
std::string task_of(const Group& group, bool with_ranks = true);

/// A memory of a side.
struct Ranked {
  const Group* group = nullptr;
  std::string memory;
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
  std::vector<std::string> left_out;       ///< memories whose pace is not steady

  std::size_t rows() const {
    std::size_t all = 0;
    for (const auto& side : sides) all += side.size();
    return all;
  }
  /// "himeno XL (512x512x1024), 100 sweeps (15.03 GB of arrays)"
  std::string title() const;
};

/// All problems: first the one that most sides have, in several memories, himeno before others.
std::vector<Problem> problems_of(const std::vector<Side>& sides, std::size_t base);

/// The same case on a side and on the base. One of two drivers has a pair for each of them.
struct Pair {
  std::size_t side = 0;
  const Group *here = nullptr, *there = nullptr;
  std::string label;    ///< the case, with the settings of both
  Ratio interval = {};  ///< seconds of all phases over the base's
};
std::vector<Pair> pairs_of(const std::vector<Side>& sides, std::size_t base);

}  // namespace memstencil::compare
