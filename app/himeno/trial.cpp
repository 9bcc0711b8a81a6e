// A short trial of every kind of sweep and tile: what --sweep auto chooses by and --tune prints.
#include "app/himeno/trial.hpp"

#include "app/common/agree.hpp"
#include "app/common/statistics.hpp"
#include "app/himeno/fields.hpp"
#include "app/himeno/solver.hpp"
#include "app/himeno/verify.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <memory>

namespace memstencil::himeno {

namespace {

/// A variant is repeated for this long, but at least twice after a pass that does not count.
constexpr double seconds_a_variant = 0.2;
constexpr std::int64_t fewest_passes = 2;
constexpr std::int64_t most_passes = 200;

/// The halo is exchanged as in a run, but its time is not the variant's.
std::vector<double> times_of(Solver& solver, const Communicator& communicator, Phases& phases) {
  const int sweeps = solver.sweep().sweeps();
  const Progress silent = [](std::int64_t, std::int64_t) {};
  solver.run(sweeps, phases, silent);
  const std::size_t first = solver.sweep_seconds().size();
  solver.run(sweeps, phases, silent);
  std::array<double, 1> pass{solver.sweep_seconds().back() * sweeps};
  communicator.maximum(pass);
  const double passes = seconds_a_variant / std::max(pass[0], 1e-9);
  solver.run(sweeps * std::clamp(static_cast<std::int64_t>(passes), fewest_passes, most_passes), phases,
             silent);
  const std::vector<double>& all = solver.sweep_seconds();
  std::vector<double> out(all.begin() + static_cast<std::ptrdiff_t>(first), all.end());
  communicator.maximum(out);
  return out;
}

}  // namespace

Trial try_variants(const Setup& setup, const Communicator& communicator,
                   const std::function<void(const std::string&)>& show) {
  Trial trial;
  Phases aside({"initialise", "upload", "sweeps", "halo"});
  struct Memory {
    Fields fields;
    Halo halo;
  };
  auto memory = agree(communicator, [&] {
    auto made = std::make_unique<Memory>(
        Memory{Fields(setup.part.grid, setup.placement, setup.placement_of_p), Halo(setup, communicator)});
    made->fields.initialise(filling_of(setup), aside);
    return made;
  });
  const auto variants = variants_of(setup, communicator);
  for (std::size_t n = 0; n < variants.size(); ++n) {
    TrialRow row{n, variants[n].sweeps, variants[n].tile, variants[n].refused, false, {}};
    if (row.refused.empty() && row.sweeps > setup.part.halo) row.refused = "the halo is too narrow";
    if (row.refused.empty()) {
      show("trying " + name(SweepKind{.sweeps = row.sweeps}) + " (" + row.tile + ")");
      Setup one = setup;
      one.variant = n;
      try {
        const auto solver = agree(communicator, [&] {
          return std::make_unique<Solver>(one, memory->fields, memory->halo, (most_passes + 2) * row.sweeps);
        });
        row.seconds = times_of(*solver, communicator, aside);
        agree(communicator, [&] {
          verify_samples(memory->fields, one.part, one.placement, solver->sweep(), solver->next_residuals());
        });
      } catch (const CollectiveFailure& failure) {
        row.refused = failure.what();
        row.failed = failure.code() == ExitCode::Verification;
        row.seconds.clear();
        // Whatever it left in p is not what the next one should start from.
        agree(communicator, [&] { memory->fields.initialise(filling_of(setup), aside); });
      }
    }
    trial.rows.push_back(row);
  }
  trial.limit = measure_limit(memory->fields, setup.part.grid, setup.placement.executor, communicator);
  return trial;
}

bool any_failed(const Trial& trial) {
  return std::any_of(trial.rows.begin(), trial.rows.end(), [](const TrialRow& row) { return row.failed; });
}

const TrialRow& fastest(const Trial& trial) {
  const TrialRow* best = nullptr;
  double least = std::numeric_limits<double>::infinity();
  for (const TrialRow& row : trial.rows) {
    if (row.seconds.empty()) continue;
    const double median = statistics(row.seconds).median;
    if (median < least) least = median, best = &row;
  }
  if (best == nullptr)
    throw CollectiveFailure(ExitCode::Verification,
                            "no kind of sweep passed verification: " + trial.rows.front().refused);
  return *best;
}

}  // namespace memstencil::himeno
