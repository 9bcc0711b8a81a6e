// The contract of a sweep over a grid: one call is one pass, whole or in parts.
#pragma once

#include "kernels/grid/grid.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace memstencil {

/// The points that an update makes, by tiles.
enum class Part {
  All,
  Edges,  ///< every tile with points that other ranks get
  Inner   ///< all other tiles; they read no halo
};

/// Does a pass make the points that other ranks get before others, so that their messages travel
/// during the rest?
enum class EdgesFirst {
  No,
  Yes,     ///< if that costs few steps
  Soonest  ///< also if it costs more: the messages are slow, and the next pass waits for them
};

/// Points that another rank gets: a box of them here, and where it lies in the other's halo.
struct HaloStore {
  Box box;                 ///< local indices
  char* to;                ///< of its first point, as kernels here reach it
  std::size_t row, plane;  ///< there, in bytes from one to the next
};

/// A sweep of some kind, prepared for one grid. Its work goes to a queue, an instance of the
/// execution space: on a device a reader of the result waits for that.
/// @tparam Pass arrays that one pass reads and writes
template <class Exec, class Pass>
class Sweep {
public:
  virtual ~Sweep() = default;
  /// Sweeps made by one pass: 1, or T if T are fused. Also the width of halo it needs.
  virtual int sweeps() const = 0;
  /// Kind and tile in a few words, for reports.
  virtual std::string describe() const = 0;
  /// Passes that may be made before their sums are added up. 0: the sweep has no sums.
  virtual int slots() const { return 1; }
  /// Can the edges be updated apart from the rest?
  virtual bool splits() const { return false; }
  /// Or does a pass make the points that other ranks get clearly before its end, and count them?
  virtual bool tells_edges() const { return false; }
  /// Work given to the queue from here on starts when the last update has made those points. Only
  /// if tells_edges().
  virtual void wait_for_edges(const Exec& /*queue*/) const {}
  /// The next update stores these boxes of its result, too, as far as they are owned. They are
  /// there when it has ended, and behind wait_for_edges(). False: it does not.
  virtual bool store_beside(std::span<const HaloStore> /*stores*/) { return false; }
  /// Sweeps that the next update makes: fewer than sweeps() if only `left` are left and the kind
  /// can make a shorter pass.
  virtual int next(std::int64_t /*left*/) { return sweeps(); }
  /// After updates that follow each other with nothing between: work given to the queue from here
  /// on finds their result, and may change the arrays.
  virtual void complete(const Exec& /*queue*/) {}

  /// @param part All, or for a sweep that splits each of the others once, in any order
  /// @param slot of this pass's sums, below slots()
  virtual void update(const Exec& queue, const Pass& pass, Part part, int slot) = 0;
  /// `out` gets the sum of each sweep of the passes in the first `slots` slots (over the owned
  /// points, in double), one pass after the other: memory that the executor can write.
  virtual void add_up(const Exec& queue, int slots, double* out) = 0;

  /// A whole pass, and the sum of each of its sweeps.
  void run(const Exec& queue, const Pass& pass, double* out) {
    next(sweeps());
    update(queue, pass, Part::All, 0);
    complete(queue);
    if (slots() > 0) add_up(queue, 1, out);
  }
};

}  // namespace memstencil
