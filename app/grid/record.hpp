// Measurements of a run of a grid code, and the result of its program: the members that the records
// of all grid codes have (docs/reference/result-format.md).
#pragma once

#include "app/base/machine/energy.hpp"
#include "app/base/machine/host_load.hpp"
#include "app/base/record/record.hpp"
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

/// The messages of several ranks. Phase `halo` has the time that the sweeps waited for them.
struct Scaling {
  std::int64_t exchanges = 0;
  double exchange_seconds = 0;  ///< of an exchange without sweeps at the same time
  bool edges_first = false;     ///< did messages run during the sweeps?
  int processors = 0;           ///< GPUs of all ranks, or nodes whose cores sweep
  MEMSTENCIL_DESCRIBED(exchanges, exchange_seconds, edges_first, processors)
};

/// Measurements of one of the program's runs.
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
  std::string sweep_kernel;  ///< its tile, from the kernel
  double mflops = 0, mflops_end_to_end = 0;
  double solve_seconds = 0;  ///< from the barrier before the sweeps to the end of the reduction
  double total_seconds = 0;  ///< end to end: all phases
  double bandwidth_gbs = 0;
  Limit limit;
  std::optional<Energy> energy;  ///< of the GPUs, in all ranks' timed sweeps
  Named<double> phases;          ///< of the rank whose sweeps took longest
  SweepSeconds sweep_seconds;
  Samples sweeps;  ///< of the same rank; fused ones count evenly
  std::optional<StagingRecord> staging;
  std::optional<ResidencyRecord> residency;  ///< of memory whose pages can move
  std::optional<Scaling> scaling;            ///< of several ranks
  std::optional<Pause> pause;                ///< of more than 1 s
  // Not in the record by themselves:
  std::vector<double> sums;       ///< of each timed sweep, over all ranks; or empty
  Named<double> seconds_of_rank;  ///< medians of this rank's: "sweep", and "halo" with neighbours
  MEMSTENCIL_DESCRIBED(iterations, sweep_kernel, mflops, mflops_end_to_end, solve_seconds,
                       total_seconds, bandwidth_gbs, limit, energy, phases, sweep_seconds, sweeps,
                       scaling, staging, residency, pause)
};

/// The cost of a sweep over the whole grid, as a code counts it.
struct SweepCost {
  double bytes;  ///< fewest that it moves
  double flops;
};

/// Adds the rates that follow from the seconds of each sweep and of the run, and from the limit.
void add_rates(GridRun& run, const SweepCost& of_sweep, const std::vector<double>& sweep_seconds,
               const Limit& limit);

/// The result of a program: the run that stands for all, and the plan's part.
struct GridResult : ApplicationResult, GridRun {
  Triple extents{};
  std::array<int, 3> ranks{};
  std::string first_touch, sweep = "single", halo;
  bool fma = false, verified = true;
  std::string stands = "total_seconds";  ///< the member whose median chose among the repeats
  std::optional<std::string> halo_library, division;
  std::optional<std::string> capped;    ///< why the sweeps do not fill --seconds
  std::optional<Spread> mflops_spread;  ///< of several repeats
  /// All members but the repeats.
  void describe_as(const char* program, Archive& a) const;
};

/// Sets the members that a result has from the plan.
void set_plan(const GridPlan& plan, GridResult& result);

/// The result of all repeats: the one whose total_seconds are the median (the slower one of two in
/// the middle) stands for all.
/// @tparam Result a GridResult with `repeats`
/// @tparam Run a GridRun
template <class Result, class Run>
Result result_of(const GridPlan& plan, const std::vector<Run>& repeats) {
  Result result;
  static_cast<GridRun&>(result) =
      median_run(repeats, [](const Run& run) { return run.total_seconds; });
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

/// The first four lines: problem and memory, speed, seconds of all phases, seconds of a sweep.
std::string answer_text(const char* program, const GridResult& result);
/// Ranks, executor, memory, placement, pages, staging, exchanges.
Lines case_lines(const char* program, const GridResult& result);
/// Bandwidth, limit, repeats, energy.
Lines rate_lines(const GridResult& result, double bytes_of_point, std::size_t repeats);
template <class Result>
Lines rate_lines(const Result& result, double bytes_of_point) {
  Lines lines = rate_lines(result, bytes_of_point, result.repeats ? result.repeats->size() : 1);
  if (result.repeats) add_first_life(lines, result, result.repeats->front().phases);
  return lines;
}

}  // namespace memstencil
