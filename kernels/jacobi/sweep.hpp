// The sweeps of the Jacobi solver behind one contract: one call is one pass over the grid.
#pragma once

#include "kernels/jacobi/arrays.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace memstencil::jacobi {

/// One pass over the grid: `p` is read, `p_next` gets the result of all sweeps of the pass in the
/// owned points; its other points are left as they are, or (fixed boundary and pad, on a host that
/// writes whole lines) get the value they have in `p`.
/// `residuals` gets gosa of each sweep of the pass (sum over the owned points, in double): as many
/// values as the pass has sweeps, in memory that the executor can write.
struct Pass {
  Grid grid;
  Coefficients coefficients;
  const float* p;
  float* p_next;
  double* residuals;
};

/// A sweep of some kind, prepared for one grid. On a device a pass is asynchronous: whoever
/// reads the result fences first.
class Sweep {
public:
  virtual ~Sweep() = default;
  /// Sweeps made by one pass: 1, or T where T are fused. Also the width of halo it needs.
  virtual int sweeps() const = 0;
  /// Kind and tile in a few words, for reports.
  virtual std::string describe() const = 0;
  virtual void run(const Pass& pass) = 0;

  // run() in parts, for a caller who starts other work between them.
  /// Everything but the residuals, where those can be made apart; otherwise all of it.
  virtual void update(const Pass& pass) { run(pass); }
  /// The residuals of all passes since the last add_up(), after update(), or after update_edges()
  /// and update_inner(). `last` is the last of them; the residuals of those before stand before its
  /// own. In the instance of residuals where there is one: the caller lets it wait for those parts,
  /// and the first pass after the next add_up() for it.
  virtual void add_up(const Pass& /*last*/) {}
  /// So many passes may be made before their residuals are added up.
  virtual int most_kept() const { return 1; }
  /// Has update() parts that run beside each other?
  virtual bool splits() const { return false; }
  /// In the instance of edges: every tile with points that other ranks get.
  virtual void update_edges(const Pass&) {}
  /// In the first instance: all other tiles. They read no halo.
  virtual void update_inner(const Pass& pass) { update(pass); }
};

/// Instances beside the first one, for parts of a pass.
template <class Exec>
struct Instances {
  Exec edges, residuals;
};

/// A kind of sweep: sweeps of the same kind do the same work in the same order.
struct SweepKind {
  enum class Method {
    Single,   ///< each sweep is a pass of its own
    Fused,    ///< tiles stay in cache or shared memory for all sweeps of a pass
    Streamed  ///< slabs of arrays behind a link pass through a window in the device's memory
  };

  Method method = Method::Single;
  int sweeps = 1;  ///< made by one pass
  std::string
      tile;  ///< tells kinds of the same sweeps apart: "128x2x8", "rows"; empty: the first of them

  bool operator==(const SweepKind&) const = default;
};

/// Bytes of a device's memory that two sweeps of any kind keep the sums of their tiles in, about at
/// most: of 32 passes, a double a tile of 1024 points or more (tile_sums.hpp).
inline double device_bytes_of_sums(const Grid& grid) {
  constexpr double most = double{1 << 26}, a_point = 32.0 * sizeof(double) / 1024;
  return 2.0 * std::min(most, a_point * static_cast<double>(grid.owned.points()));
}

/// As the command line names it: "single", "temporal:3".
std::string name(const SweepKind& kind);

struct OfferedSweep {
  SweepKind kind;
  std::string refused;  ///< why it cannot run this grid here; empty: it can

  bool operator==(const OfferedSweep&) const = default;
};

/// Every kind of sweep of an execution space, which need not have started. The first is the single
/// sweep as it runs by default and is never refused; the first of each other number of sweeps is
/// the one that temporal:T takes where it is not refused.
/// @param window_bytes memory of the executor's own that sweeps may take where the arrays lie
///        behind a link; 0 where they do not
template <class Exec>
std::vector<OfferedSweep> sweeps_offered(const Grid& grid, std::size_t window_bytes = 0);

/// @param kind one that is offered for this grid and window, and not refused
/// @param beside for the parts of a pass; without it no sweep splits
/// @throws std::invalid_argument for one that is not offered
template <class Exec>
std::unique_ptr<Sweep> make_sweep(const Exec& exec, const Grid& grid, const SweepKind& kind,
                                  std::size_t window_bytes = 0,
                                  const Instances<Exec>* beside = nullptr);

}  // namespace memstencil::jacobi
