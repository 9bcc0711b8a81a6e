// A short trial of every kind of sweep.
#include "app/himeno/trial.hpp"

#include "app/base/ranks/collectively.hpp"
#include "app/bench/placement.hpp"
#include "app/himeno/problem.hpp"

#include <algorithm>
#include <limits>
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
    row.sweep = each.kind;
    Options options{base.options, base.own};
    options.sweep = each.kind;
    // Halo and domain decomposition are the kind's own: its plan says whether it can be made.
    try {
      row.plan = make_plan(options, machine, communicator);
      require_memory(*row.plan, communicator);
    } catch (const CollectiveFailure& failure) {
      row.why_not = failure.what();
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

/// The arrays of the rows. A rank that is alone keeps its arrays for all rows, because pinning them
/// again for each takes longer than the sweeps; otherwise each row allocates its own.
template <class Exec>
class TrialArrays {
public:
  using Arrays = RankArrays<Exec, Problem<Exec>>;

  TrialArrays(const Exec& exec, const Communicator& communicator, const GpuPaths& gpu)
      : exec_(exec), communicator_(communicator), gpu_(gpu) {}

  /// The arrays of this plan, initialised.
  Arrays& of(const Plan& plan) {
    Phases unreported = phases_of(plan.options);
    if (arrays_ && plan.subdomain.alone()) {
      arrays_->restart(Problem<Exec>(plan), unreported);
      return *arrays_;
    }
    arrays_.reset();  // two at once would take twice the memory
    arrays_ = std::make_unique<Arrays>(exec_, Problem<Exec>(plan), communicator_, gpu_, unreported);
    return *arrays_;
  }

private:
  Exec exec_;
  const Communicator& communicator_;
  GpuPaths gpu_;
  std::unique_ptr<Arrays> arrays_;  // an optional one seems uninitialised to g++ 12 -O3
};

/// Runs the row's kind.
template <class Exec>
void try_row(TrialArrays<Exec>& arrays, TrialRow& row, const Communicator& communicator) {
  try {
    auto& tried = arrays.of(*row.plan);
    const auto solver = tried.solver((most_passes + 2) * row.plan->sweep.kind.sweeps);
    const bool streamed = row.plan->sweep.seams > 0;
    row.seconds = times_of(*solver, streamed, communicator);
    if (streamed) return;  // the run that takes it verifies it
    RunResult run;
    run.sums = solver->sums();
    run.iterations = static_cast<std::int64_t>(run.sums.size());
    communicator.sum(run.sums);
    tried.problem().verify(tried, *solver, run);
  } catch (const Failure& failure) {
    // The others do not know of an exception that one of several ranks throws alone.
    const bool of_all =
        communicator.size() == 1 || dynamic_cast<const CollectiveFailure*>(&failure) != nullptr;
    if (!of_all) throw;
    if (failure.code() == ExitCode::Verification)
      throw CollectiveFailure(failure.code(), fmt::format("--sweep auto tried {}: {}",
                                                          full_name(row.sweep), failure.what()));
    row.why_not = failure.what();
    row.seconds.clear();
  }
}

}  // namespace

Trial try_sweeps(const Plan& base, const Machine& machine, const Communicator& communicator,
                 const std::function<void(const std::string&)>& show, const GpuPaths& gpu) {
  Trial trial{.rows = rows_of(base, machine, communicator), .limit = {}};
  with_execution_space(base.executor(), [&]<class Exec>(const Exec& exec) {
    TrialArrays<Exec> arrays(exec, communicator, gpu);
    for (TrialRow& row : trial.rows) {
      if (!row.why_not.empty()) continue;
      show("trying " + full_name(row.sweep));
      try_row(arrays, row, communicator);
    }
    trial.limit = arrays.of(*fastest(trial).plan).limit();  // in the kind's own memory
  });
  return trial;
}

const TrialRow& fastest(const Trial& trial) {
  const TrialRow* best = nullptr;
  double least = std::numeric_limits<double>::infinity();
  for (const TrialRow& row : trial.rows) {
    if (row.seconds.empty()) continue;
    const double median = statistics(row.seconds).median;
    if (median < least) least = median, best = &row;
  }
  if (best != nullptr) return *best;
  throw CollectiveFailure(ExitCode::Machine,
                          "no kind of sweep can run: " + trial.rows.front().why_not);
}

}  // namespace memstencil::himeno

namespace memstencil {
#define MEMSTENCIL_RUNS(Exec) MEMSTENCIL_RUNS_OF(, Exec)
MEMSTENCIL_FOR_EXECUTION_SPACES(MEMSTENCIL_RUNS)
#undef MEMSTENCIL_RUNS
}  // namespace memstencil
