// transpose's runs and their result: the members of its record (docs/reference/result-format.md),
// and its text.
#pragma once

#include "app/base/machine/energy.hpp"
#include "app/base/machine/host_load.hpp"
#include "app/base/record/record.hpp"
#include "app/base/record/statistics.hpp"
#include "app/bench/gpu_exchange.hpp"
#include "app/bench/limit.hpp"
#include "app/bench/memory_record.hpp"
#include "app/transpose/plan.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace memstencil::transpose {

/// The mean iteration and its 95 % interval.
struct Mean {
  double seconds = 0;
  std::array<double, 2> ci95{};  ///< seconds, low and high
  double relative_half_width = 0;
  double gbs = 0;  ///< of the mean time, not the mean of the rates
  MEMSTENCIL_DESCRIBED(seconds, ci95, relative_half_width, gbs)
};

struct TimedVariant {
  std::string name;
  std::optional<int> tile;  ///< side of its tiles, if there is a choice
  Spread gbs;
  double of_copy = 0;   ///< ratio of the medians
  double fraction = 0;  ///< of the limit, by the median iteration
  bool verified = true;
  double bytes = 0;          ///< of an iteration
  Spread iteration_seconds;  ///< on the slowest rank
  Mean mean;
  std::vector<double> seconds;  ///< of each iteration
  std::optional<Energy> energy;
  std::optional<Named<double>> split;  ///< Timing::parts, of several ranks
  MEMSTENCIL_DESCRIBED(name, tile, gbs, of_copy, fraction, verified, bytes, iteration_seconds, mean,
                       seconds, energy, split)
};

/// What one of the program's repeats measured.
struct Repeat {
  std::vector<TimedVariant> variants;  ///< the copy is among them
  /// "copy", or "link" if the executor reaches its matrices over one: then of one direction.
  Limit limit;
  std::optional<ResidencyRecord> residency;  ///< of memory whose pages can move
  std::optional<Pause> pause;                ///< of more than 1 s
  /// Phases of the slowest rank; without the copy if it was measured as the yardstick alone.
  Named<double> phases;
  /// Mean seconds of an iteration on this rank: part of `provenance`, not written by itself.
  Named<double> seconds_of_rank;
  MEMSTENCIL_DESCRIBED(variants, limit, residency, phases, pause)
};

/// @param gpu of the plan's transport: connect(). Collective. All results are verified:
/// otherwise
/// @throws Failure(Verification); and the errors of allocation.
Repeat run_once(const Plan& plan, const Communicator& communicator, const GpuPaths& gpu = {});

struct SkippedVariant {
  std::string name, reason;
  MEMSTENCIL_DESCRIBED(name, reason)
};

struct Result : ApplicationResult, Repeat {
  std::int64_t rows = 0, columns = 0;
  std::int64_t pitch_a = 0, pitch_b = 0;  ///< elements from row to row
  std::string type;
  std::int64_t iterations = 0;
  int ranks = 1;
  std::string first_touch, messages;
  std::optional<std::string> message_library;
  std::vector<SkippedVariant> skipped;
  bool verified = true;
  std::optional<std::vector<Repeat>> repeats;  ///< the one in the middle stands for all
  void describe(Archive& a) const;
};

/// The repeat whose variants together took the median time stands for all. Options and machine are
/// not known here.
Result make_result(const Plan& plan, const std::vector<Repeat>& repeats);

/// The text report.
/// @param verbose all lines, not only the notable ones
std::string text_report(const Result& result, bool verbose);

}  // namespace memstencil::transpose
