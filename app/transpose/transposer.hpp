// One rank's share of transposing a matrix: its tiles packed, exchanged, and turned; and the time of it.
#pragma once

#include "app/common/cli/progress.hpp"
#include "app/common/runtime/phases.hpp"
#include "app/transpose/matrices.hpp"
#include "app/transpose/tiles.hpp"
#include "kernels/transpose/transpose.hpp"

#include <cstdint>
#include <vector>

namespace memstencil::transpose {

/// What iterations took on this rank.
struct Timing {
  std::vector<double> seconds;  ///< each iteration
  Phases parts;                 ///< "pack", "exchange", "transpose" over all iterations
};

/// Needs no command line and no plan. The copy stays on its rank: it is the yardstick of what the ranks'
/// memories give.
template <class Exec, class T>
class Transposer {
public:
  /// All must outlive it. Tiles and matrices have room for the shape of `part`.
  Transposer(const Exec& exec, const Distribution& part, Operation operation, const Matrices<T>& matrices,
             const Tiles<T>& tiles, const Communicator& communicator);

  /// Alone, iterations are timed where they run, without a fence between them; on several ranks from a
  /// barrier to the end of the rank's work, by the host's clock. Collective.
  Timing time(Variant variant, std::int64_t iterations, const Progress& progress = {}) const;
  /// One iteration, and waits for it. Collective.
  void once(Variant variant) const;
  /// What an iteration does on this rank when tiles have been exchanged.
  std::vector<Job<T>> jobs(Variant variant) const;
  /// Bytes that this rank's part of an iteration reads and writes at least.
  double bytes(Variant variant) const;

private:
  Job<T> copy_job() const;
  void iterate(Variant variant, const std::vector<Job<T>>& jobs, Phases& parts) const;

  Exec exec_;
  Distribution part_;
  Operation operation_;
  const Matrices<T>& matrices_;
  const Tiles<T>& tiles_;
  const Communicator& communicator_;
};

/// Runs the variant on a matrix of one element elsewhere: what a library or a driver does at a first
/// call is then no part of the first iteration.
template <class T, class Exec>
void warm_up(const Exec& exec, Variant variant, Operation operation);

}  // namespace memstencil::transpose
