// The result of a program run as the one record that every writer prints.
#include "app/himeno/result.hpp"

#include "app/benchmark/repeats.hpp"
#include "app/common/gpu_exchange.hpp"
#include "app/common/statistics.hpp"
#include "app/placement/placement_record.hpp"

#include <fmt/format.h>

namespace memstencil::himeno {

namespace {

constexpr double mega = 1e-6;
constexpr double giga = 1e-9;

double sweeps_of(const RunResult& r) { return static_cast<double>(r.sweep_seconds.size()); }

/// Repeats with --seconds make different numbers of sweeps.
double seconds_a_sweep(const RunResult& r) { return r.solve_seconds / sweeps_of(r); }

double bandwidth(const Triple& extents, const RunResult& r) {
  return jacobi::bytes_per_point * updated_points(extents) * sweeps_of(r) / r.solve_seconds;
}

Record limit_record(const Triple& extents, const RunResult& r) {
  const double rate = r.limit.bytes_per_second;
  const double sweep_seconds = jacobi::bytes_per_point * updated_points(extents) / rate;
  Record samples = Record::array();
  for (const double sample : r.limit.samples) samples.push_back(sample * giga);
  return {{"kind", r.limit.kind},
          {"gbs", rate * giga},
          {"mflops", mflops(extents, 1, sweep_seconds)},
          {"fraction", bandwidth(extents, r) / rate},
          {"samples_gbs", samples}};
}

Record sweep_record(const RunResult& r) {
  Record out = spread(r.sweep_seconds);
  out["count"] = r.sweep_seconds.size();
  out["first"] = r.sweep_seconds.front();
  out["last"] = r.sweep_seconds.back();
  return out;
}

double run_mflops(const Plan& plan, const RunResult& r) {
  return mflops(plan.options.extents, static_cast<std::int64_t>(r.sweep_seconds.size()), r.solve_seconds);
}

double end_to_end_mflops(const Plan& plan, const RunResult& r) {
  return mflops(plan.options.extents, static_cast<std::int64_t>(r.sweep_seconds.size()), r.total_seconds);
}

Record repeat_record(const Plan& plan, const RunResult& r) {
  return {{"gosa", r.gosa.back()},
          {"mflops", run_mflops(plan, r)},
          {"mflops_end_to_end", end_to_end_mflops(plan, r)},
          {"solve_seconds", r.solve_seconds},
          {"total_seconds", r.total_seconds},
          {"limit_gbs", r.limit.bytes_per_second * giga},
          {"phases", r.phases.record()},
          {"sweeps", {{"seconds", r.sweep_seconds}}}};
}

/// `memspace`; with --place both groups in one text, and each by itself under `place`.
Record memspace_record(const Plan& plan) {
  const Record coefficients = placement_record(plan.placement);
  const Record p = placement_record(plan.placement_of_p);
  if (p == coefficients) return p;
  const auto both = [&](const char* key) {
    return fmt::format("p={},coefficients={}", p[key].get<std::string>(),
                       coefficients[key].get<std::string>());
  };
  Record out{{"requested", both("requested")},
             {"effective", both("effective")},
             {"allocation", both("allocation")},
             {"place", {{"p", p["effective"]}, {"coefficients", coefficients["effective"]}}}};
  if (p["effective"] == coefficients["effective"]) out["effective"] = p["effective"];
  return out;
}

Record trial_record(const Triple& extents, const Trial& trial) {
  const double limit_seconds =
      jacobi::bytes_per_point * updated_points(extents) / trial.limit.bytes_per_second;
  Record rows = Record::array();
  for (const TrialRow& row : trial.rows) {
    Record entry{{"sweep", name(row.sweep)}, {"tile", row.sweep.tile}};
    if (row.failed) {
      entry["failed"] = row.refused;
    } else if (row.seconds.empty()) {
      entry["refused"] = row.refused;
    } else {
      entry["sweep_seconds"] = spread(row.seconds);
      entry["count"] = row.seconds.size();
      entry["fraction"] = limit_seconds / statistics(row.seconds).median;
    }
    rows.push_back(entry);
  }
  return rows;
}

}  // namespace

double mflops(const Triple& extents, std::int64_t sweeps, double seconds) {
  return original_flops(extents) * static_cast<double>(sweeps) / seconds * mega;
}

const RunResult& representative(const std::vector<RunResult>& repeats) {
  return median_run(repeats, seconds_a_sweep);
}

double expected_bytes(const Options& o) {
  constexpr double record = 128 * 1024, of_a_repeat = 8 * 1024;
  const double repeats = o.repeat > 1 ? o.repeat : 0;
  const double lists = 1 + repeats + (o.gosa_history ? 1 : 0);
  const double sweeps = o.seconds || o.tune ? 0 : static_cast<double>(o.iterations);
  double points = o.save_field ? 1 : 0;
  for (const std::int64_t n : o.extents) points *= static_cast<double>(n);
  return record + repeats * of_a_repeat + lists * sweeps * sizeof(double) + points * sizeof(float);
}

Record make_tune_record(const Plan& plan, const Trial& trial, const Record& options, const Record& machine) {
  const Placement& p = plan.placement;
  return {{"schema", "memstencil-results"},
          {"schema_version", 1},
          {"program", "himeno"},
          {"size", size_name(plan.options.extents)},
          {"extents", plan.options.extents},
          {"ranks", plan.part.ranks},
          {"exec", name(p.executor)},
          {"execution", execution_record(p.executor)},
          {"memspace", memspace_record(plan)},
          {"limit", {{"kind", trial.limit.kind}, {"gbs", trial.limit.bytes_per_second * giga}}},
          {"tune", trial_record(plan.options.extents, trial)},
          {"fastest", {{"sweep", name(fastest(trial).sweep)}, {"tile", fastest(trial).sweep.tile}}},
          {"verified", !any_failed(trial)},
          {"options", options},
          {"machine", machine}};
}

Record make_record(const Plan& plan, const std::vector<RunResult>& repeats, const std::optional<Trial>& trial,
                   const Record& options, const Record& machine) {
  const RunResult& r = representative(repeats);
  const Triple& extents = plan.options.extents;
  const Placement& p = plan.placement;
  Record record{{"schema", "memstencil-results"},
                {"schema_version", 1},
                {"program", "himeno"},
                {"size", size_name(extents)},
                {"extents", extents},
                {"iterations", r.sweep_seconds.size()},
                {"rehearsal", r.rehearsal},
                {"ranks", plan.part.ranks},
                {"exec", name(p.executor)},
                {"execution", execution_record(p.executor)},
                {"memspace", memspace_record(plan)},
                {"first_touch", name(p.first_touch)},
                {"sweep", name(plan.sweep)},
                {"sweep_kernel", r.sweep_kernel},
                {"halo", name(plan.halo)},
                {"fma", plan.fma()},
                {"gosa", r.gosa.back()},
                {"mflops", run_mflops(plan, r)},
                {"mflops_end_to_end", end_to_end_mflops(plan, r)},
                {"solve_seconds", r.solve_seconds},
                {"total_seconds", r.total_seconds},
                {"solve_seconds", r.solve_seconds},
                {"total_seconds", r.total_seconds},
                {"bandwidth_gbs", bandwidth(extents, r) * giga},
                {"limit", limit_record(extents, r)},
                {"phases", r.phases.record()},
                {"sweep_seconds", sweep_record(r)},
                {"sweeps", {{"seconds", r.sweep_seconds}}},
                {"verified", true},
                {"options", options},
                {"machine", machine}};
  if (plan.part.ranks == std::array<int, 3>{1, 1, 1}) record["halo"] = "none";
  if (record["halo"] == name(HaloPath::Nccl)) record["halo_library"] = gpu_exchange_library();
  if (!plan.note.empty()) record["note"] = plan.note;
  if (trial) record["trial"] = trial_record(extents, *trial);
  if (plan.options.gosa_history) record["gosa_history"] = r.gosa;
  if (repeats.size() > 1) {
    record["repeats"] = Record::array();
    std::vector<double> rates;
    for (const RunResult& each : repeats) {
      record["repeats"].push_back(repeat_record(plan, each));
      rates.push_back(run_mflops(plan, each));
    }
    record["mflops_spread"] = spread(rates);
  }
  return record;
}

}  // namespace memstencil::himeno
