// The lines of --format csv.
#include "app/bench/csv_rows.hpp"

#include "app/himeno/result.hpp"

namespace memstencil::himeno {

namespace {

constexpr std::array directions{"i", "j", "k"};

template <class AnyResult>
Record problem_of(const AnyResult& result, const std::string& layout) {
  Record row = csv_of_run("himeno", result, result.options_of_case.memory);
  row["size"] = result.size;
  for (std::size_t d = 0; d < 3; ++d)
    row[std::string("extent_") + directions[d]] = result.extents[d];
  for (std::size_t d = 0; d < 3; ++d) row[std::string("ranks_") + directions[d]] = result.ranks[d];
  row["coefficients"] = or_null(result.options_of_case.coefficients);
  row["layout"] = layout;
  return row;
}

}  // namespace

Record csv_rows(const Result& result) {
  Record row = problem_of(result, result.layout);
  row["first_touch"] = result.first_touch;
  row["pre_touch"] = or_null(result.options_of_case.pre_touch);
  row["iterations"] = result.iterations;
  row["sweep"] = result.sweep;
  row["sweep_kernel"] = result.sweep_kernel;
  row["halo"] = result.halo;
  row["fma"] = result.fma;
  row["gosa"] = result.gosa;
  row["mflops"] = result.mflops;
  row["mflops_end_to_end"] = result.mflops_end_to_end;
  row["solve_seconds"] = or_null(result.solve_seconds);
  row["total_seconds"] = or_null(result.total_seconds);
  add_spread(row, "sweep_seconds", result.sweep_seconds.spread);
  row["phase_pre_touch"] = Record();
  for (const auto& [phase, seconds] : result.phases)
    row[phase == "pre-touch" ? "phase_pre_touch" : "phase_" + phase] = seconds;
  row["bandwidth_gbs"] = result.bandwidth_gbs;
  row["limit"] = result.limit.kind;
  row["limit_gbs"] = result.limit.gbs;
  row["of_limit"] = result.limit.fraction;
  const auto joules = [&](const std::optional<Energy::Part> Energy::*part) {
    const bool told = result.energy && (*result.energy).*part && ((*result.energy).*part)->joules;
    return told ? Record(*((*result.energy).*part)->joules) : Record();
  };
  row["gpu_joules"] = joules(&Energy::gpus);
  row["host_joules"] = joules(&Energy::hosts);
  return Record::array({row});
}

Record csv_rows(const TuneResult& result) {
  Record rows = Record::array();
  for (const TriedSweep& tried : result.tune) {
    Record row = problem_of(result, tried.layout);
    row["sweep"] = tried.sweep;
    row["tile"] = tried.tile;
    row["failed"] = or_null(tried.failed);
    row["refused"] = or_null(tried.refused);
    row["sweeps"] = or_null(tried.count);
    add_spread(row, "sweep_seconds", tried.sweep_seconds);
    row["limit"] = result.limit.kind;
    row["limit_gbs"] = result.limit.gbs;
    row["of_limit"] = or_null(tried.fraction);
    rows.push_back(row);
  }
  return rows;
}

}  // namespace memstencil::himeno
