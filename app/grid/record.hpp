// What a run of a grid code measured, and the result of its program: the members that the records
// of all grid codes have (docs/reference/result-format.md).
#pragma once

#include "app/base/machine/energy.hpp"
#include "app/base/record/archive.hpp"
#include "app/base/record/statistics.hpp"
#include "app/base/record/text_report.hpp"
#include "app/bench/limit.hpp"
#include "app/bench/memory_record.hpp"
#include "app/bench/phases.hpp"
#include "app/bench/repeats.hpp"
#include "app/grid/plan.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace memstencil {

/// The messages of several ranks. What the sweeps waited for them is phase `halo`.
struct Scaling {
  std::int64_t exchanges = 0;
  double exchange_seconds = 0;  ///< of an exchange that nothing goes on beside
  bool edges_first = false;     ///< did messages run beside the sweeps?
  int processors = 0;           ///< GPUs of all ranks, or nodes whose cores sweep
  MEMSTENCIL_DESCRIBED(exchanges, exchange_seconds, edges_first, processors)
};

/// What one of the program's runs measured.
struct GridRun {
  struct Limit : memstencil::Limit {
    double mflops = 0;    ///< at its bandwidth
    double fraction = 0;  ///< of it that the run reached
    MEMSTENCIL_DESCRIBED(kind, gbs, mflops, fraction, samples_gbs, disturbed)
  };
  struct SweepSeconds {
    Spread spread;
    std::int64_t count = 0;
    double first = 0, last = 0;
    void describe(Archive& a) const;
  };
  struct Samples {
    std::vector<double> seconds;
    MEMSTENCIL_DESCRIBED(seconds)
  };

  std::int64_t iterations = 0;
  std::int64_t rehearsal = 0;  ///< sweeps made before the timed ones
  std::string sweep_kernel;    ///< its tile, from the kernel
  double mflops = 0, mflops_end_to_end = 0;
  double solve_seconds = 0;  ///< from the barrier before the sweeps to the end of the reduction
  double total_seconds = 0;  ///< end to end: all phases
  double bandwidth_gbs = 0;
  Limit limit;
  std::optional<Limit> read_limit;  ///< of a stream that reads many arrays and writes one
  std::optional<Energy> energy;     ///< of the GPUs, in all ranks' timed sweeps
  Named<double> phases;             ///< of the rank whose sweeps took longest
  SweepSeconds sweep_seconds;
  Samples sweeps;  ///< of the same rank; fused ones count evenly
  std::optional<StagingRecord> staging;
  std::optional<ResidencyRecord> residency;  ///< of memory whose pages can move
  std::optional<Scaling> scaling;            ///< of several ranks
  // Not in the record by themselves:
  std::vector<double> sums;       ///< of each timed sweep, over all ranks; empty where it has none
  Named<double> seconds_of_rank;  ///< medians of this rank's: "sweep", and "halo" with neighbours
  MEMSTENCIL_DESCRIBED(iterations, rehearsal, sweep_kernel, mflops, mflops_end_to_end,
                       solve_seconds, total_seconds, bandwidth_gbs, limit, read_limit, energy,
                       phases, sweep_seconds, sweeps, scaling, staging, residency)
};

/// What a code counts of a sweep over the whole grid.
struct SweepCost {
  double bytes;  ///< fewest that it moves
  double flops;
};

/// Adds what follows from the seconds of each sweep, those of the run and the limits.
void add_rates(GridRun& run, const SweepCost& of_sweep, const std::vector<double>& sweep_seconds,
               const Limits& limits);

/// The result of a program: the run that stands for all, and what the plan says of it.
struct GridResult : ApplicationResult, GridRun {
  Triple extents{};
  std::array<int, 3> ranks{};
  std::string first_touch, sweep = "single", halo;
  bool fma = false, verified = true;
  std::optional<std::string> halo_library, division;
  std::optional<Spread> mflops_spread;  ///< of several repeats
  /// All members but the repeats.
  void describe_as(const char* program, Archive& a) const;
};

/// Sets what the plan says of any result of its.
void set_case(const GridPlan& plan, ApplicationResult& result);
/// Sets what it says of a run's.
void set_plan(const GridPlan& plan, GridResult& result);

/// The result of all repeats: the one whose mflops are the median (the lower one of two in the
/// middle) stands for all.
/// @tparam Result a GridResult with `repeats`
/// @tparam Run a GridRun
template <class Result, class Run>
Result result_of(const GridPlan& plan, const std::vector<Run>& repeats) {
  Result result;
  // Repeats with --seconds make different numbers of sweeps.
  static_cast<GridRun&>(result) = median_run(repeats, [](const Run& run) {
    return run.solve_seconds / static_cast<double>(run.iterations);
  });
  set_plan(plan, result);
  if (repeats.size() > 1) {
    std::vector<double> rates;
    for (const Run& each : repeats) rates.push_back(each.mflops);
    result.mflops_spread = spread_of(rates);
    result.repeats = repeats;
  }
  return result;
}

// The parts of a text report that all grid codes have.

/// The unit of a report's rates.
struct RateUnit {
  const char* name;  ///< "MFLOPS"
  double of_mflops;
  double bytes_of_point;
};

/// An option as the result has it; empty where it has none.
std::string option(const ApplicationResult& result, const char* name);

/// Who computes what where. Then a code has lines of its own.
Lines head_lines(const char* program, const GridResult& result);
/// Phases, sweeps, pages, staging, exchanges.
Lines time_lines(const GridResult& result);
/// Bandwidth, limit, repeats, energy, and that the result is verified.
Lines rate_lines(const GridResult& result, const RateUnit& unit, std::size_t repeats);
template <class Result>
Lines rate_lines(const Result& result, const RateUnit& unit) {
  Lines lines = rate_lines(result, unit, result.repeats ? result.repeats->size() : 1);
  if (result.repeats) add_first_life(lines, result, result.repeats->front().phases);
  return lines;
}

}  // namespace memstencil
