// A short trial of every kind of sweep and layout.
#include "app/himeno/trial.hpp"

#include "app/base/ranks/collectively.hpp"
#include "app/base/runtime/execution.hpp"
#include "app/base/runtime/statistics.hpp"
#include "app/bench/choose.hpp"
#include "app/himeno/fields.hpp"
#include "app/himeno/solver.hpp"
#include "app/himeno/verify_run.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

namespace memstencil::himeno {

namespace {

/// A kind is repeated for this long, but at least twice after a pass that does not count.
constexpr double seconds_a_kind = 0.2;
constexpr std::int64_t fewest_passes = 2;
constexpr std::int64_t most_passes = 200;

/// The widest halo that the ranks' blocks can have.
std::int64_t widest_halo(const Subdomain& part) {
  std::int64_t widest = std::numeric_limits<std::int64_t>::max();
  for (std::size_t d = 0; d < 3; ++d)
    if (part.ranks[d] > 1) widest = std::min(widest, (part.global[d] - 2) / part.ranks[d]);
  return widest;
}

/// Is the kind one of those that the options leave open?
bool wanted(const jacobi::SweepKind& kind, const Plan& base) {
  const bool open = base.options.tune || base.options.sweep.automatic;
  return open || (kind.sweeps == base.sweep.sweeps && kind.tile == base.sweep.tile);
}

/// The kinds of sweep with one layout.
void add_rows(std::vector<TrialRow>& rows, const Plan& base, jacobi::Layout layout,
              const Machine& machine, const Communicator& communicator) {
  for (const auto& [kind, refused] : sweeps_offered(base, communicator)) {
    if (!wanted(kind, base)) continue;
    TrialRow row{.sweep = kind, .layout = layout, .refused = refused};
    if (refused.empty() && kind.sweeps > widest_halo(base.part))
      row.refused = "the halo is too narrow";
    if (row.refused.empty()) {
      Options options = base.options;
      options.sweep = {.sweeps = kind.sweeps, .automatic = false, .tile = kind.tile};
      options.layout = layout;
      row.refused = why_not([&] {
        row.plan = make_plan(options, machine, communicator);
        require_memory(*row.plan, communicator);
      });
    }
    rows.push_back(row);
  }
}

std::vector<TrialRow> rows_of(const Plan& base, const Machine& machine,
                              const Communicator& communicator) {
  std::vector<TrialRow> rows;
  for (const jacobi::Layout layout : jacobi::all_layouts)
    if (layout == base.options.layout.value_or(layout))
      add_rows(rows, base, layout, machine, communicator);
  return rows;
}

template <class Exec>
class Tries {
public:
  Tries(const Exec& exec, const Communicator& communicator, const std::shared_ptr<GpuExchange>& gpu)
      : exec_(exec), communicator_(communicator), gpu_(gpu) {}

  void run(TrialRow& row) {
    const Plan& plan = *row.plan;
    try {
      use_memory_of(plan);
      const auto solver = collectively(communicator_, [&] {
        return make_solver(exec_, plan.part.grid, plan.sweep, fields_->arrays(),
                           (most_passes + 2) * plan.sweep.sweeps + verified_sweeps(plan, 0),
                           halo_.get(), plan.window_bytes);
      });
      row.seconds = times_of(*solver);
      std::vector<double> gosa = solver->sums();
      communicator_.sum(gosa);
      verify_run(exec_, plan, communicator_, *halo_, fields_->arrays(), *solver, {gosa, 0});
    } catch (const Failure& failure) {
      // The others do not know of an exception that one of several ranks throws alone.
      const bool of_all =
          communicator_.size() == 1 || dynamic_cast<const CollectiveFailure*>(&failure);
      if (!of_all) throw;
      row.refused = failure.what();
      row.failed = failure.code() == ExitCode::Verification;
      row.seconds.clear();
    }
  }

  /// Of the memory that the last kind ran in; of the plan's where that could not be had.
  Limit limit(const Plan& plan) {
    if (!fields_) use_memory_of(plan);
    return measure_limit(exec_, *fields_, communicator_);
  }

private:
  /// Plans with one layout and with halos of the same width, as all those of one rank, share their
  /// arrays. Where it fails there are none.
  void use_memory_of(const Plan& plan) {
    const bool same_halo = communicator_.size() == 1 || plan.part.halo == halo_width_;
    if (fields_ && plan.layout == layout_ && same_halo) {
      // The verification of the plan before left other values.
      collectively(communicator_, [&] { fields_->initialise(plan.filling(), aside_); });
      return;
    }
    halo_.reset(), fields_.reset();
    std::unique_ptr<Fields> fields;
    std::unique_ptr<Halo<Exec>> halo;
    collectively(communicator_, [&] {
      fields = std::make_unique<Fields>(plan.part.grid, plan.layout, plan.placement,
                                        plan.placement_of_p);
      halo = std::make_unique<Halo<Exec>>(plan.part, plan.halo, plan.placement_of_p.space,
                                          communicator_, gpu_);
      fields->initialise(plan.filling(), aside_);
    });
    halo->connect(fields->arrays().p, fields->memory_of_p());
    fields_ = std::move(fields), halo_ = std::move(halo);
    halo_width_ = plan.part.halo;
    layout_ = plan.layout;
  }

  /// Of each sweep, with its part of what the pass waited for its halo: fused sweeps send fewer
  /// messages, single ones may hide them.
  std::vector<double> times_of(Solver<Exec>& solver) {
    const auto sweeps = static_cast<std::size_t>(solver.sweep().sweeps());
    const auto passes = [&](std::int64_t count) {
      const std::size_t before = solver.sweep_seconds().size();
      solver.run(count * solver.sweep().sweeps(), aside_);
      const std::vector<double>& halo = solver.halo_seconds();
      std::vector<double> out = solver.sweep_seconds();
      for (std::size_t n = 0; n < out.size() && !halo.empty(); ++n)
        out[n] += halo[n / sweeps] / static_cast<double>(sweeps);
      out.erase(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(before));
      communicator_.maximum(out);
      return out;
    };
    passes(1);  // does not count
    std::vector<double> out = passes(1);
    const double wanted =
        seconds_a_kind / std::max(out.front() * static_cast<double>(sweeps), 1e-9);
    const std::vector<double> more =
        passes(std::clamp(static_cast<std::int64_t>(wanted), fewest_passes, most_passes));
    out.insert(out.end(), more.begin(), more.end());
    return out;
  }

  Exec exec_;
  const Communicator& communicator_;
  std::shared_ptr<GpuExchange> gpu_;
  Phases aside_{{"initialise", "upload", "sweeps", "halo"}};
  int halo_width_ = 0;
  jacobi::Layout layout_{};
  std::unique_ptr<Fields> fields_;
  std::unique_ptr<Halo<Exec>> halo_;
};

}  // namespace

Trial try_sweeps(const Plan& base, const Machine& machine, const Communicator& communicator,
                 const std::function<void(const std::string&)>& show,
                 const std::shared_ptr<GpuExchange>& gpu) {
  Trial trial{.rows = rows_of(base, machine, communicator), .limit = {}};
  with_execution_space(base.executor(), [&](const auto& exec) {
    Tries tries(exec, communicator, gpu);
    for (TrialRow& row : trial.rows) {
      if (!row.refused.empty()) continue;
      show("trying " + name(row.sweep) + " (" + row.sweep.tile + "), " +
           std::string(name(row.layout)));
      tries.run(row);
    }
    trial.limit = tries.limit(*fastest(trial).plan);
  });
  return trial;
}

bool any_failed(const Trial& trial) {
  return std::any_of(trial.rows.begin(), trial.rows.end(),
                     [](const TrialRow& row) { return row.failed; });
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
  const std::string& reason = trial.rows.front().refused;
  if (any_failed(trial))
    throw CollectiveFailure(ExitCode::Verification,
                            "no kind of sweep passed verification: " + reason);
  throw CollectiveFailure(ExitCode::Machine, "no kind of sweep can run: " + reason);
}

}  // namespace memstencil::himeno
