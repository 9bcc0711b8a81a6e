// The sweeps of the Jacobi solver: the kinds that an execution space offers, each with its maker.
#pragma once

#include "kernels/grid/sweep.hpp"
#include "kernels/jacobi/arrays.hpp"

#include <any>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace memstencil::jacobi {

/// Its sums are gosa of each sweep.
template <class Exec>
using Sweep = memstencil::Sweep<Exec, Pass>;

/// The names of all kinds of sweep, of this execution space or another.
inline constexpr std::string_view sweep_names[] = {"single", "temporal"};

/// A kind of sweep. Sweeps of the same kind do the same work in the same order.
struct SweepKind {
  std::string name = "single";  ///< "temporal": several sweeps are fused in a pass
  int sweeps = 1;               ///< made by one pass; 0 in a question: any number
  std::string tile = {};        ///< "128x2x8", "rows"; empty in a question: the first that there is

  bool operator==(const SweepKind&) const = default;
  /// Does this kind answer the question?
  bool is(const SweepKind& asked) const {
    return name == asked.name && (asked.sweeps == 0 || sweeps == asked.sweeps) &&
           (asked.tile.empty() || tile == asked.tile);
  }
};

/// "single", "temporal:3": without the tile.
std::string name(const SweepKind& kind);
/// As the command line takes it: "single:128x2x8", "temporal:3:16x64/8", or with fewer parts.
std::string full_name(const SweepKind& kind);

template <class Exec>
using SweepMaker = std::function<std::unique_ptr<Sweep<Exec>>(const Exec&, EdgesFirst)>;

/// A kind of sweep for one grid, and how to make it.
struct SweepOffer {
  SweepKind kind;
  std::string why_not;     ///< why it cannot run this grid here; empty: it can
  double bytes = 0;        ///< of the executor's own memory that it takes, about at most
  double cost = 0;         ///< cost_of_pass() beside other ranks; 0: it is not known
  std::int64_t seams = 0;  ///< planes that arrive at a time in streamed sweeps; 0: not streamed
  bool tried = true;       ///< by --sweep auto, and not only if it is named
  std::any maker;          ///< the SweepMaker of the execution space that offers it

  /// @param edges_first Yes and Soonest split a sweep that can be split, or let it tell of its
  ///        edges early, if other ranks have neighbours of its points
  /// @throws std::bad_any_cast for another execution space than that of sweep_offers()
  template <class Exec>
  std::unique_ptr<Sweep<Exec>> make(const Exec& exec,
                                    EdgesFirst edges_first = EdgesFirst::No) const {
    return std::any_cast<const SweepMaker<Exec>&>(maker)(exec, edges_first);
  }
};

/// Every kind of sweep of an execution space, which need not have started. The first is the single
/// sweep as it runs by default, and it can always run; the first of each other name and number of
/// sweeps is the one that a question without tile gets, if it can run.
/// @param window_bytes memory of the executor's own that sweeps may take if the arrays lie
///        behind a link; 0 if they do not
template <class Exec>
std::vector<SweepOffer> sweep_offers(const Grid& grid, std::size_t window_bytes = 0);

/// The sweep that answers the question, of arrays that lie behind no link.
/// @throws std::invalid_argument if none is offered
template <class Exec>
std::unique_ptr<Sweep<Exec>> make_sweep(const Exec& exec, const Grid& grid,
                                        const SweepKind& asked = {},
                                        EdgesFirst edges_first = EdgesFirst::No);

}  // namespace memstencil::jacobi
