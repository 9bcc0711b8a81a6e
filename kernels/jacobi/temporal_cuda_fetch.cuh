// Device code of the fused sweep's fetching warp: what each step wants,
// asked of the copy engine ahead.
#pragma once

#include "kernels/jacobi/temporal_cuda_memory.cuh"

namespace memstencil::jacobi {

/// The thread that fetches, for all that work. temporal_cuda_rounds.hpp says when.
template <class Shape, Layout layout>
struct Fetch {
  using March = typename Shape::March;
  const TemporalWork& work;
  const TileShared<Shape> shared;
  const TilePlace& place;

  __device__ __forceinline__ void expect(int round) const {
    const int planes_of_p = round == 0 ? 3 : 1;
    shared.arrived(March::place(round))
        .expect((Shape::slot_floats + planes_of_p * Shape::plane_floats) * 4);
  }
  __device__ __forceinline__ void coefficients(int round) const {
    const Handshake arrived = shared.arrived(March::place(round));
    const int slot = March::slot(round);
    const int i = plane_in_memory(work, place.first_step + round);
    constexpr int arrays = layout == Layout::Packed ? arrays_of_line : 1;  // that come at a time
#pragma unroll
    for (int a = 0; a < coefficient_count; a += arrays) {
      float* const to = shared.coefficient(slot, a);
      if constexpr (layout == Layout::Packed)
        arrived.copy_lines(to, work.coefficients[0], i, place.j, place.k / packed_points,
                           a / arrays);
      else
        arrived.copy(to, work.coefficients[a], i, place.j, place.k);
    }
  }
  /// p of plane `round` + 1, by the handshake of round `with`.
  __device__ __forceinline__ void p(int round, int with) const {
    shared.arrived(March::place(with))
        .copy(shared.p(March::place(round)), work.p,
              plane_in_memory(work, place.first_step + round + 1), place.j - 1, place.k);
  }

  __device__ __forceinline__ void run() const {
    const int rounds = place.end_step - place.first_step;
    for (int round = 0; round < min(rounds, March::first_rounds); ++round) {
      expect(round);
      coefficients(round);
      for (int plane = -2; round == 0 && plane <= 0; ++plane) p(plane, 0);
    }
    Pace pace(work.progress + place.wave, static_cast<unsigned>(place.members),
              static_cast<unsigned>(work.owned.hi[0] - work.owned.lo[0] + 2 * Shape::sweeps));
    for (int round = 1; round < rounds; ++round) {
      const int release = March::after(round);
      shared.released(March::place(release)).wait(static_cast<unsigned>(March::parity(release)));
      pace.keep();
      const bool all = round >= March::first_rounds;
      if (all) expect(round);
      p(round, round);
      if (all) coefficients(round);
    }
    pace.finish();
  }
};

}  // namespace memstencil::jacobi
