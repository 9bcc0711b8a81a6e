// The time loop: passes of a sweep over the fields, with the halo exchanged between them.
#include "app/himeno/solver.hpp"

#include "memory_spaces/capabilities.hpp"
#include "memory_spaces/movement.hpp"

namespace memstencil::himeno {

namespace {

std::unique_ptr<jacobi::Sweep> make_sweep(const Setup& setup, std::size_t variant) {
  const jacobi::Grid& grid = setup.part.grid;
  return kernels(setup.placement.executor).variants(grid, setup.window_bytes).at(variant).make(grid);
}

}  // namespace

Solver::Solver(const Setup& setup, Fields& fields, const Halo& halo, std::int64_t most_sweeps)
    : grid_(setup.part.grid),
      fields_(fields),
      halo_(halo),
      fused_(make_sweep(setup, setup.variant)),
      single_(make_sweep(setup, 0)),
      clock_(kernels(setup.placement.executor).lap_clock()),
      residuals_(scratch_space(setup.placement.executor),
                 static_cast<std::size_t>(most_sweeps + fused_->sweeps()) * sizeof(double)) {}

void Solver::run(std::int64_t sweeps, Phases& phases, const Progress& progress) {
  const std::int64_t end = done_ + sweeps;
  clock_->start();
  while (done_ < end) {
    pass(end - done_ >= fused_->sweeps() ? *fused_ : *single_);
    if (halo_.needed()) {
      take_laps(phases);
      phases.time("halo", [&] { halo_.exchange(fields_.p()); });
      clock_->start();
    }
    progress(done_, end);
  }
  take_laps(phases);
}

void Solver::pass(jacobi::Sweep& sweep) {
  sweep.run({grid_, fields_.coefficients(), fields_.p(), fields_.p_next(), residual_at(done_)});
  clock_->lap();
  fields_.swap();
  done_ += sweep.sweeps();
  sweeps_of_pass_.push_back(sweep.sweeps());
}

void Solver::take_laps(Phases& phases) {
  const std::vector<double> laps = clock_->finish();
  for (std::size_t n = 0; n < laps.size(); ++n) {
    phases.add("sweeps", laps[n]);
    const auto sweeps = static_cast<std::size_t>(sweeps_of_pass_[n]);
    sweep_seconds_.insert(sweep_seconds_.end(), sweeps, laps[n] / static_cast<double>(sweeps));
  }
  sweeps_of_pass_.clear();
}

std::vector<double> Solver::residuals() const {
  std::vector<double> out(static_cast<std::size_t>(done_));
  copy(out.data(), residuals_.data(), out.size() * sizeof(double));
  return out;
}

}  // namespace memstencil::himeno
