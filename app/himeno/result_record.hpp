// The result of a himeno run: the members of its record (docs/reference/result-format.md).
#pragma once

#include "app/base/machine/energy.hpp"
#include "app/base/machine/machine_facts.hpp"
#include "app/base/record/archive.hpp"
#include "app/base/record/provenance.hpp"
#include "app/base/runtime/statistics.hpp"
#include "app/bench/memory_record.hpp"
#include "app/himeno/scaling.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace memstencil::himeno {

/// Of the coefficients; older versions had no other.
inline constexpr const char* only_layout = "arrays";

/// A kind of sweep that --sweep auto, --layout auto or --tune tried.
struct TriedSweep {
  std::string sweep, tile, layout = only_layout;
  std::optional<std::string> failed, refused;  ///< why it computed wrongly, or was not tried
  std::optional<Spread> sweep_seconds;
  std::optional<std::int64_t> count;
  std::optional<double> fraction;  ///< of the limit
};

/// Of `options`, those that others than himeno need.
struct OptionsOfCase {
  MemoryOptions memory;
  std::optional<std::string> pre_touch;  ///< who read the pages once before the sweeps
  std::optional<std::string> coefficients;
  std::optional<double> seconds;
};

struct Result : ApplicationResult {
  struct Limit {
    std::string kind;
    double gbs = 0, mflops = 0;
    double fraction = 0;
    std::vector<double> samples_gbs;
  };
  struct SweepSeconds {
    Spread spread;
    std::int64_t count = 0;
    double first = 0, last = 0;
  };
  struct Samples {
    std::vector<double> seconds;
  };
  struct Repeat {
    double gosa = 0, mflops = 0, mflops_end_to_end = 0;
    std::optional<double> solve_seconds, total_seconds;
    double limit_gbs = 0;
    std::optional<Energy> energy;
    Named<double> phases;
    Samples sweeps;
  };

  std::array<std::int64_t, 3> extents{};
  std::int64_t iterations = 0, rehearsal = 0;
  std::array<int, 3> ranks{};
  std::string layout = only_layout;
  std::string first_touch, sweep, sweep_kernel;
  std::string halo;
  bool fma = false;
  double gosa = 0, mflops = 0, mflops_end_to_end = 0;
  std::optional<double> solve_seconds, total_seconds;  ///< older versions did not time them
  double bandwidth_gbs = 0;
  Limit limit;
  std::optional<Energy> energy;  ///< of the timed sweeps; older versions did not measure it
  Named<double> phases;
  SweepSeconds sweep_seconds;
  Samples sweeps;
  std::optional<double> drift;  ///< drift_of() the sweeps; few sweeps have none
  bool verified = true;
  OptionsOfCase options_of_case;  ///< part of `options`, not written by itself
  std::optional<std::string> halo_library, division, note;
  std::optional<bool> halo_registered;  ///< by NCCL, on rank 0; older versions did not tell
  std::optional<StagingRecord> staging;
  std::optional<ResidencyRecord> residency;  ///< of memory whose pages can move
  std::optional<Scaling> scaling;            ///< of several ranks
  std::optional<std::vector<TriedSweep>> trial;
  std::optional<std::vector<double>> gosa_history;
  std::optional<std::vector<Repeat>> repeats;
  std::optional<Spread> mflops_spread;
};
void describe(Archive& a, Result& result);

/// The result of --tune in place of a run.
struct TuneResult : ApplicationResult {
  struct Limit {
    std::string kind;
    double gbs = 0;
  };
  struct Fastest {
    std::string sweep, tile, layout = only_layout;
  };

  std::array<std::int64_t, 3> extents{};
  std::array<int, 3> ranks{};
  Limit limit;
  std::vector<TriedSweep> tune;
  Fastest fastest;
  bool verified = true;
  OptionsOfCase options_of_case;
};
void describe(Archive& a, TuneResult& result);

}  // namespace memstencil::himeno
