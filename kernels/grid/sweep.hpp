// The contract of a sweep over a grid: one call is one pass, whole or in parts.
#pragma once

#include "kernels/grid/grid.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace memstencil {

/// When a pass makes the points that other ranks get.
enum class Edges {
  Last,   ///< they are made when it ends
  Early,  ///< clearly before its end
  Apart   ///< in a queue of their own; the rest reads no halo
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

/// Other ranks, as a pass finds them. Without a queue they wait for its end.
template <class Exec>
struct RanksAround {
  const Exec* queue = nullptr;  ///< its work from here on starts when their points are made
  std::span<const HaloStore> stores = {};
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
  /// When a pass makes them if the ranks around have a queue.
  virtual Edges edges() const { return Edges::Last; }
  /// Sweeps that the next update makes: fewer than sweeps() if only `left` are left and the kind
  /// can make a shorter pass. If more are left, nothing may come between it and one more.
  virtual int next(std::int64_t /*left*/) { return sweeps(); }

  /// @param slot of this pass's sums, below slots()
  /// @return whether it stores its result in the boxes of `around`, too, as far as they are owned:
  ///         they are there with the points that other ranks get
  virtual bool update(const Exec& queue, const Pass& pass, int slot,
                      const RanksAround<Exec>& around) = 0;
  /// `out` gets the sum of each sweep of the passes in the first `slots` slots (over the owned
  /// points, in double), one pass after the other: memory that the executor can write.
  virtual void add_up(const Exec& queue, int slots, double* out) = 0;

  /// A whole pass, and the sum of each of its sweeps.
  bool run(const Exec& queue, const Pass& pass, double* out, const RanksAround<Exec>& around = {}) {
    next(sweeps());
    const bool stored = update(queue, pass, 0, around);
    if (slots() > 0) add_up(queue, 1, out);
    return stored;
  }
};

}  // namespace memstencil
