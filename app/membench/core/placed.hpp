// Source and destination of a copy, each placed by the first touch of an executor, and where their
// pages are ([tsukuba-thesis-2024], section 4.2).
#pragma once

#include "app/membench/core/arrays.hpp"
#include "app/membench/core/probe.hpp"
#include "memory_spaces/memory_space.hpp"

#include <span>
#include <string>

namespace memstencil::membench {

/// Shares of the pages of both arrays. Asking takes longer than a short copy, and so stands between
/// series and never in them.
struct Places {
  bool known = false;
  double host = 0, gpu = 0, not_mapped = 0;
};

/// The two arrays of an experiment, untouched at first.
class Placed {
public:
  /// Read-mostly advice is for the source alone: it is for data that are hardly written.
  /// @throws Failure(Machine) where host or GPU has not room for both arrays: each may come to hold
  ///   both
  Placed(State& state, Advice advice);

  /// Lists 4.4 and 4.5, with random values in place of the lists' i % 10 and 0, so that no element
  /// of a destination is right before it was copied.
  void touch(Executor source, Executor destination);
  /// GB/s, read + written, of one copy by the host's clock around launch and wait (lists 4.6, 4.7).
  double copy(Executor by);
  /// Seconds until both arrays are with the executor.
  double prefetch(Executor to);
  /// Spoils the destination, copies once more and compares every element, all by the executor that
  /// has just copied: so no page moves that would not have moved anyway.
  void verify(const std::string& title, Executor by);
  Places places() const;
  double gigabytes() const { return 1e-9 * static_cast<double>(source_.buffer().bytes()); }

private:
  bool paper_;
  mutable Array source_, destination_;
};

/// The memory of the arrays: what the row's axis `memory` says. @throws LeftOut with the reason
MemorySpace memory_of(State& state);

/// Adds first_gbs, steady_gbs and steady_repeat (0: never) of one experiment's series.
void add_settling(State& state, std::span<const double> series);
/// Adds the shares of pages on either side before and after, where the system tells.
void add_places(State& state, const Places& before, const Places& after);

/// Of two arrays: `bytes` of each, 4 GB and 8 GB with --paper.
Axis array_bytes(bool paper);
/// managed and system: what this machine's GPU reaches; the first of them by default.
Axis moving_memory(bool both);

}  // namespace memstencil::membench
