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
struct Pass {
  Grid grid;
  Coefficients coefficients;
  const float* p;
  float* p_next;
};

/// The points that an update makes, by tiles.
enum class Part {
  All,
  Edges,  ///< every tile with points that other ranks get
  Inner   ///< all other tiles; they read no halo
};

/// Rooms for what passes leave for gosa.
struct Slots {
  int first, count;
};

/// A sweep of some kind, prepared for one grid. Its work goes to a queue, an instance of the
/// execution space: on a device whoever reads the result waits for that.
template <class Exec>
class Sweep {
public:
  virtual ~Sweep() = default;
  /// Sweeps made by one pass: 1, or T where T are fused. Also the width of halo it needs.
  virtual int sweeps() const = 0;
  /// Kind and tile in a few words, for reports.
  virtual std::string describe() const = 0;
  /// So many passes may be made before their residuals are added up; an even number, so that the
  /// slots of one half can be added up while passes fill the other.
  virtual int slots() const { return 2; }
  /// Can the edges be updated apart from the rest?
  virtual bool splits() const { return false; }

  /// Or does a pass make the points that other ranks get first, and tell when?
  virtual bool tells_edges() const { return false; }
  /// What the queue is given from here on starts when the last update has made those points.
  virtual void wait_for_edges(const Exec& /*queue*/) const {}
  /// The part of a pass that goes by till then, of its steps.
  virtual double edges_share() const { return 1.0; }

  /// @param part All, or for a sweep that splits each of the others once, in any order
  /// @param slot whose residuals are added up, or are not wanted
  virtual void update(const Exec& queue, const Pass& pass, Part part, int slot) = 0;
  /// `out` gets gosa of each sweep of the passes in these slots (sums over the owned points, in
  /// double), one pass after the other: memory that the executor can write.
  virtual void add_up(const Exec& queue, Slots slots, double* out) = 0;

  /// A whole pass, and gosa of each of its sweeps.
  void run(const Exec& queue, const Pass& pass, double* out) {
    update(queue, pass, Part::All, 0);
    add_up(queue, {0, 1}, out);
  }
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
/// @param apart splits the sweep where it can be, and other ranks have neighbours of its points, or
///        lets it tell of their edges early
/// @throws std::invalid_argument for one that is not offered
template <class Exec>
std::unique_ptr<Sweep<Exec>> make_sweep(const Exec& exec, const Grid& grid, const SweepKind& kind,
                                        std::size_t window_bytes = 0, bool apart = false);

}  // namespace memstencil::jacobi
