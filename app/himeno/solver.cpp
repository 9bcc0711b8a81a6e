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
                 static_cast<std::size_t>(most_sweeps + fused_->sweeps()) * sizeof(double)) {
  sweep_seconds_.reserve(static_cast<std::size_t>(most_sweeps));
}

jacobi::Sweep& Solver::sweep_after(std::int64_t done, std::int64_t end) const {
  return end - done >= fused_->sweeps() ? *fused_ : *single_;
}

void Solver::run(std::int64_t sweeps, Phases& phases, const Progress& progress) {
  const std::int64_t end = done_ + sweeps;
  clock_->start();
  while (done_ < end) {
    pass(sweep_after(done_, end));
    if (halo_.needed()) {
      take_laps(end, phases);
      phases.time("halo", [&] { halo_.exchange(fields_.p()); });
      clock_->start();
    }
    progress(done_, end);
  }
  take_laps(end, phases);
}

void Solver::pass(jacobi::Sweep& sweep) {
  sweep.run({grid_, fields_.coefficients(), fields_.p(), fields_.p_next(), residual_at(done_)});
  clock_->lap();
  fields_.swap();
  done_ += sweep.sweeps();
}

void Solver::take_laps(std::int64_t end, Phases& phases) {
  for (const double lap : clock_->finish()) {
    phases.add("sweeps", lap);
    const int sweeps = sweep_after(static_cast<std::int64_t>(sweep_seconds_.size()), end).sweeps();
    sweep_seconds_.insert(sweep_seconds_.end(), static_cast<std::size_t>(sweeps), lap / sweeps);
  }
}

std::vector<double> Solver::residuals() const {
  std::vector<double> out(static_cast<std::size_t>(done_));
  copy(out.data(), residuals_.data(), out.size() * sizeof(double));
  return out;
}

}  // namespace memstencil::himeno
