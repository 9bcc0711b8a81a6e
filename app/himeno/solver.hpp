// The time loop: passes of a sweep over the fields, with the halo exchanged between them.
#pragma once

#include "app/common/phases.hpp"
#include "app/himeno/fields.hpp"
#include "app/himeno/halo.hpp"
#include "app/himeno/run.hpp"

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace memstencil::himeno {

class Solver {
public:
  /// Room for the residuals of `most_sweeps` sweeps.
  Solver(const Setup& setup, Fields& fields, const Halo& halo, std::int64_t most_sweeps);

  /// Makes `sweeps` sweeps; the times go to the phases "sweeps" and "halo". Errors of one rank are not
  /// collective.
  void run(std::int64_t sweeps, Phases& phases, const Progress& progress);

  jacobi::Sweep& sweep() { return *fused_; }
  /// Seconds of each sweep so far on this rank.
  const std::vector<double>& sweep_seconds() const { return sweep_seconds_; }
  std::vector<double> take_sweep_seconds() { return std::move(sweep_seconds_); }
  /// This rank's gosa of each sweep so far.
  std::vector<double> residuals() const;
  /// Room for the residuals of one pass more than the sweeps made.
  double* next_residuals() const { return residual_at(done_); }

private:
  /// What the pass after `done` sweeps is made by, on the way to `end`.
  jacobi::Sweep& sweep_after(std::int64_t done, std::int64_t end) const;
  void pass(jacobi::Sweep& sweep);
  void take_laps(std::int64_t end, Phases& phases);
  double* residual_at(std::int64_t sweep) const { return static_cast<double*>(residuals_.data()) + sweep; }

  jacobi::Grid grid_;
  Fields& fields_;
  const Halo& halo_;
  std::unique_ptr<jacobi::Sweep> fused_;   ///< the kind asked for
  std::unique_ptr<jacobi::Sweep> single_;  ///< for what is left when T does not divide the sweeps
  std::unique_ptr<LapClock> clock_;
  Buffer residuals_;
  std::int64_t done_ = 0;
  std::vector<double> sweep_seconds_;
};

}  // namespace memstencil::himeno
