// One rank's share of transposing a matrix: its tiles packed, exchanged, and turned; and the time of it.
#pragma once

#include "app/common/phases.hpp"
#include "app/transpose/kernels.hpp"
#include "app/transpose/matrices.hpp"
#include "app/transpose/tiles.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace memstencil::transpose {

/// What iterations took on this rank.
struct Timing {
  std::vector<double> seconds;  ///< each iteration
  Phases parts;                 ///< "pack", "exchange", "transpose" over all iterations
};

/// Called after each iteration with the number that are done.
using Progress = std::function<void(std::int64_t done)>;

/// The copy stays on its rank: it is the yardstick of what the ranks' memories give.
template <class T>
class Transposer {
public:
  /// All must outlive it. Tiles and matrices have room for the shape of `part`.
  Transposer(const Setup& setup, const Distribution& part, const Matrices<T>& matrices, const Tiles<T>& tiles,
             const Communicator& communicator);

  /// Alone, iterations are timed where they run, without a fence between them; on several ranks from a
  /// barrier to the end of the rank's work, by the host's clock. Collective.
  Timing time(const Variant<T>& variant, std::int64_t iterations, const Progress& progress) const;
  /// One iteration, and waits for it. Collective.
  void once(const Variant<T>& variant) const;
  /// Bytes that this rank's part of an iteration reads and writes at least.
  double bytes(const Variant<T>& variant) const;

private:
  std::vector<Job<T>> jobs(const Variant<T>& variant) const;
  Job<T> copy_job() const;
  void iterate(const Variant<T>& variant, const std::vector<Job<T>>& jobs, Phases& parts) const;

  const Setup& setup_;
  Distribution part_;
  const Matrices<T>& matrices_;
  const Tiles<T>& tiles_;
  const Communicator& communicator_;
  const Kernels<T>& kernels_;
};

/// Runs the variant on a matrix of one element elsewhere: what a library or a driver does at a first
/// call is then no part of the first iteration.
template <class T>
void warm_up(const Variant<T>& variant, const Setup& setup);

}  // namespace memstencil::transpose
