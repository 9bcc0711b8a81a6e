// The agreement between the warp that fetches and those that work: which plane lies where, and who
// waits for what. tests/kernels/temporal_rounds_test.cpp searches all orders in which it can run.
#pragma once

#include "kernels/portable.hpp"

namespace memstencil::jacobi {

/// Step n of T stages works on planes n, n-1 .. n-T+1 (counted from the march's first plane). Round
/// n brings what step n adds: the coefficients of plane n and p of plane n+1; round 0 also p of
/// planes -1 and 0. Rounds run `lead` steps ahead.
///
/// Stages 0..T-2 read coefficients from their slots. The last stage has its own in registers, where
/// they were put a step before, after it had used the ones before them: so step n ends with a copy
/// of plane n-T+2, and that plane's slot is free. p of plane n+1 is read in step n alone.
///
/// Release 0 says that the warps have read planes -1 and 0 of p, release
/// n+1 that they ended step n.
///
/// With four stages one step of lead leaves room for a tile of 16 rows; with two steps it has 12,
/// and does a quarter more work twice.
template <int Sweeps>
struct Rounds {
  static constexpr int lead = Sweeps < 4 ? 2 : 1;
  /// Slots of coefficients: T-1 planes in use, and those arriving.
  static constexpr int slots = Sweeps - 1 + lead;
  /// Places of p, barriers "arrived" and barriers "released": each serves every third round. A
  /// barrier of the hardware tells apart only a round of its own and the next, so nobody may get
  /// two ahead of another who waits. Three barriers suffice, two let working warps run away from a
  /// fetching warp that is late.
  static constexpr int places = 3;

  MEMSTENCIL_FUNCTION static constexpr int place(int n) { return (n + places) % places; }
  MEMSTENCIL_FUNCTION static constexpr int slot(int round) { return round % slots; }
  /// The phase bit of round n (or release n) at its barrier, as the hardware counts.
  MEMSTENCIL_FUNCTION static constexpr int parity(int n) { return n / places % 2; }

  /// Rounds whose coefficients go where nothing was before.
  static constexpr int first_rounds = lead + 1;
  /// The release that round `round` (not 0) waits for, with p and after the first
  /// rounds with coefficients, too.
  MEMSTENCIL_FUNCTION static constexpr int after(int round) {
    return round > lead ? round - lead : 0;
  }
};

}  // namespace memstencil::jacobi
