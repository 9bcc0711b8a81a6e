// A short trial of every kind of sweep.
#include "app/himeno/result.hpp"

#include "app/base/ranks/collectively.hpp"
#include "app/bench/placement.hpp"
#include "app/himeno/problem.hpp"

#include <algorithm>
#include <memory>

namespace memstencil::himeno {

namespace {

/// A kind is repeated for this long, but at least twice after a pass that does not count.
constexpr double seconds_a_kind = 0.2;
constexpr std::int64_t fewest_passes = 2;
constexpr std::int64_t most_passes = 200;

/// Every kind of sweep.
std::vector<TrialRow> rows_of(const Plan& base, const Machine& machine,
                              const Communicator& communicator) {
  std::vector<TrialRow> rows;
  for (const jacobi::SweepOffer& each : sweep_offers(base, machine, communicator)) {
    if (!each.tried) continue;
    TrialRow& row = rows.emplace_back();
    row.kind = each.kind;
    row.sweep = name(each.kind);
    row.tile = each.kind.tile;
    Options options{base.options, base.own};
    options.sweep = each.kind;
    // Halo and domain decomposition are the kind's own: its plan says whether it can be made.
    try {
      row.plan = make_plan(options, machine, communicator);
      require_memory(*row.plan, communicator);
    } catch (const CollectiveFailure& failure) {
      row.refused = failure.what();
    }
  }
  return rows;
}

/// Seconds of each sweep, with its part of the pass' wait for its halo: fused sweeps send
/// fewer messages, single ones may hide them.
template <class Exec>
std::vector<double> times_of(Solver<Exec>& solver, bool streamed,
                             const Communicator& communicator) {
  const auto sweeps = static_cast<std::size_t>(solver.sweep().sweeps());
  const auto passes = [&](std::int64_t count) {
    const std::size_t before = solver.sweep_seconds().size();
    solver.run(count * solver.sweep().sweeps());
    const std::vector<double>& halo = solver.halo_seconds();
    std::vector<double> out = solver.sweep_seconds();
    for (std::size_t n = 0; n < out.size() && !halo.empty(); ++n)
      out[n] += halo[n / sweeps] / static_cast<double>(sweeps);
    out.erase(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(before));
    communicator.maximum(out);
    return out;
  };
  passes(1);  // does not count
  std::vector<double> out = passes(1);
  if (streamed) return out;  // it takes as long as many of others
  const double wanted = seconds_a_kind / std::max(out.front() * static_cast<double>(sweeps), 1e-9);
  const std::vector<double> more =
      passes(std::clamp(static_cast<std::int64_t>(wanted), fewest_passes, most_passes));
  out.insert(out.end(), more.begin(), more.end());
  return out;
}

/// Runs the row's kind.
/// @param arrays_of (plan) has its arrays, initialised
template <class ArraysOf>
void try_row(const ArraysOf& arrays_of, TrialRow& row, const Communicator& communicator) {
  try {
    auto& tried = arrays_of(*row.plan);
    const auto solver = tried.solver((most_passes + 2) * row.kind.sweeps);
    const bool streamed = row.plan->sweep.seams > 0;
    const std::vector<double> seconds = times_of(*solver, streamed, communicator);
    if (!streamed) {  // the run that takes it verifies it
      RunResult run;
      run.sums = solver->sums();
      run.iterations = static_cast<std::int64_t>(run.sums.size());
      communicator.sum(run.sums);
      tried.problem().verify(tried, *solver, run);
    }
    row.sweep_seconds = spread_of(seconds);
    row.count = static_cast<std::int64_t>(seconds.size());
  } catch (const Failure& failure) {
    // The others do not know of an exception that one of several ranks throws alone.
    const bool of_all =
        communicator.size() == 1 || dynamic_cast<const CollectiveFailure*>(&failure) != nullptr;
    if (!of_all) throw;
    if (failure.code() == ExitCode::Verification)
      throw CollectiveFailure(failure.code(), fmt::format("--sweep auto tried {}: {}",
                                                          full_name(row.kind), failure.what()));
    row.refused = failure.what();
  }
}

}  // namespace

std::vector<TrialRow> try_sweeps(const Plan& base, const Machine& machine,
                                 const Communicator& communicator, const GpuPaths& gpu) {
  std::vector<TrialRow> rows = rows_of(base, machine, communicator);
  with_execution_space(base.executor(), [&]<class Exec>(const Exec& exec) {
    using Arrays = RankArrays<Exec, Problem<Exec>>;
    std::unique_ptr<Arrays> arrays;  // an optional one seems uninitialised to g++ 12 -O3
    // A rank that is alone keeps its arrays for all rows, because pinning them again for each takes
    // longer than the sweeps.
    const auto arrays_of = [&](const Plan& plan) -> Arrays& {
      Phases unreported = phases_of(plan.options);
      if (arrays && plan.subdomain.alone()) {
        arrays->restart(Problem<Exec>(plan), unreported);
      } else {
        arrays.reset();  // two at once would take twice the memory
        arrays = std::make_unique<Arrays>(exec, Problem<Exec>(plan), communicator, gpu, unreported);
      }
      return *arrays;
    };
    for (TrialRow& row : rows)
      if (!row.refused) try_row(arrays_of, row, communicator);
    const Limit limit = arrays_of(*fastest(rows).plan).limit();  // in the kind's own memory
    const double least = cost_of_sweep(base.options.extents).bytes / (limit.gbs * 1e9);
    for (TrialRow& row : rows)
      if (row.sweep_seconds) row.fraction = least / row.sweep_seconds->median;
  });
  return rows;
}

const TrialRow& fastest(const std::vector<TrialRow>& rows) {
  const TrialRow* best = nullptr;
  for (const TrialRow& row : rows)
    if (row.sweep_seconds &&
        (best == nullptr || row.sweep_seconds->median < best->sweep_seconds->median))
      best = &row;
  if (best != nullptr) return *best;
  throw CollectiveFailure(ExitCode::Machine,
                          "no kind of sweep can run: " + rows.front().refused.value_or(""));
}

}  // namespace memstencil::himeno
