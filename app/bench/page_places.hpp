// The places of a run's pages: with the host or with the GPU, before and after what is timed.
#pragma once

#include "app/base/ranks/communicator.hpp"
#include "app/bench/memory_record.hpp"
#include "memory_spaces/residency.hpp"

#include <optional>
#include <string>

namespace memstencil {

/// Numbers of pages.
struct PagePlaces {
  double on_host = 0;
  double on_gpu = 0;      ///< where the GPU's memory is a NUMA node
  double not_mapped = 0;  ///< by the host: at a GPU that is no node, or touched by nobody

  double all() const { return on_host + on_gpu + not_mapped; }
  /// @param gpu_node the NUMA node that is the GPU's memory; negative: it is none
  void add(const Residency& residency, int gpu_node);
  PagePlaces& operator+=(const PagePlaces& more);
};

/// Of arrays whose pages can move. Asking touches no page and moves none.
struct PageMoves {
  PagePlaces before, after;
  std::string unknown;  ///< why the system does not tell; the places then mean nothing

  bool asked() const { return !unknown.empty() || before.all() > 0; }
  /// Adds up the pages of all ranks. Collective.
  void sum(const Communicator& communicator);
};

/// Did pages move to the executor that worked on them? Nothing where all were with it from the
/// start, or where the system does not tell.
std::optional<bool> moved_to(Executor executor, const PageMoves& moves);

/// The shares, and whether the pages moved to `executor`.
ResidencyRecord residency_record(const PageMoves& moves, int gpu_node, Executor executor);

}  // namespace memstencil
