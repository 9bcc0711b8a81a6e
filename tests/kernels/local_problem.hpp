// The part of a reference grid that one rank has, in the memory of an execution space: what a sweep
// is given, and what it may change.
#pragma once

#include "kernels/jacobi/sweep.hpp"
#include "tests/kernels/points.hpp"
#include "tests/kernels/reference.hpp"

#include <gtest/gtest.h>
#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <type_traits>
#include <vector>

namespace memstencil::jacobi {

using HostExec = Kokkos::DefaultHostExecutionSpace;
template <class Memory>
inline constexpr bool of_host = std::is_same_v<Memory, HostExec>;
/// The execution spaces that the library has its kernels for.
using KernelSpaces = std::conditional_t<std::is_same_v<HostExec, Kokkos::DefaultExecutionSpace>,
                                        testing::Types<HostExec>,
                                        testing::Types<HostExec, Kokkos::DefaultExecutionSpace>>;

/// In the memory of an execution space, or in a memory space.
template <class Memory, class T>
using ArrayOf = Kokkos::View<T*, typename Memory::memory_space>;

template <class Memory, class T>
ArrayOf<Memory, T> uploaded(const std::vector<T>& values) {
  const ArrayOf<Memory, T> out("uploaded", values.size());
  Kokkos::deep_copy(
      out, Kokkos::View<const T*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(
               values.data(), values.size()));
  return out;
}

template <class View>
std::vector<typename View::non_const_value_type> downloaded(const View& view) {
  Kokkos::fence();
  std::vector<typename View::non_const_value_type> out(view.size());
  Kokkos::deep_copy(Kokkos::View<typename View::non_const_value_type*, Kokkos::HostSpace,
                                 Kokkos::MemoryTraits<Kokkos::Unmanaged>>(out.data(), out.size()),
                    view);
  return out;
}

/// What stands in p_next before a pass.
inline constexpr float untouched = 77.0F;

/// `owned` in global indices, with a halo of `width` around it where the grid goes on. What
/// pads the rows is no number.
template <class Memory>
struct LocalProblem {
  LocalProblem(const reference::Whole& whole, const Box& owned, std::int64_t width,
               Layout layout = Layout::Arrays) {
    const reference::Extents& e = whole.extents;
    const Box interior = reference::interior_of(e);
    const Box here = grown(owned, width, {{0, 0, 0}, {e[0], e[1], e[2]}});
    for (std::size_t d = 0; d < 3; ++d) {
      origin[d] = here.lo[d];
      grid.extents[d] = here.hi[d] - here.lo[d];
      grid.owned.lo[d] = owned.lo[d] - here.lo[d];
      grid.owned.hi[d] = owned.hi[d] - here.lo[d];
      grid.interior.lo[d] = std::max(interior.lo[d] - here.lo[d], std::int64_t{0});
      grid.interior.hi[d] = std::min(interior.hi[d], here.hi[d]) - here.lo[d];
    }
    grid.pitch = row_pitch(grid.extents[2]);
    std::vector<std::vector<float>> values;
    for (std::size_t id = 0; id < array_count; ++id) {
      values.push_back(part_of(whole, whole.arrays[id]));
      arrays[id] = uploaded<Memory>(values.back());
    }
    if (layout == Layout::Packed) in_one = uploaded<Memory>(packed(values));
    next = uploaded<Memory>(std::vector<float>(grid.elements(), untouched));
  }

  /// An array of the whole grid as the local one holds it.
  std::vector<float> part_of(const reference::Whole& whole,
                             const std::vector<float>& values) const {
    std::vector<float> out(grid.elements(), std::numeric_limits<float>::quiet_NaN());
    for (std::int64_t i = 0; i < grid.extents[0]; ++i)
      for (std::int64_t j = 0; j < grid.extents[1]; ++j)
        for (std::int64_t k = 0; k < grid.extents[2]; ++k)
          out[grid.row(i, j) + static_cast<std::size_t>(k)] =
              values[whole.at(origin[0] + i, origin[1] + j, origin[2] + k)];
    return out;
  }

  Arrays pointers() const {
    return {in_one.size() == 0 ? coefficients_of(arrays) : packed_coefficients(in_one.data()),
            arrays[P].data(), next.data()};
  }

  Pass pass() const {
    const Arrays a = pointers();
    return {grid, a.coefficients, a.p, a.p_next};
  }

  /// One pass from p into next; gosa of each of its sweeps.
  template <class Exec>
  std::vector<double> run(Sweep<Exec>& sweep) const {
    const auto residuals =
        uploaded<Memory>(std::vector<double>(static_cast<std::size_t>(sweep.sweeps()), -1.0));
    sweep.run(Exec(), pass(), residuals.data());
    return downloaded(residuals);
  }

  /// After several passes p and next change places, as in the time loop.
  void swap() { std::swap(arrays[P], next); }

  /// Calls f(offset, is owned, is interior) for every float of an array, padding included.
  template <class F>
  void for_each(const F& f) const {
    for (std::int64_t i = 0; i < grid.extents[0]; ++i)
      for (std::int64_t j = 0; j < grid.extents[1]; ++j)
        for (std::int64_t k = 0; k < grid.pitch; ++k)
          f(grid.row(i, j) + static_cast<std::size_t>(k), reference::contains(grid.owned, i, j, k),
            reference::contains(grid.interior, i, j, k));
  }

  /// Floats of next that are not what a pass should leave: `whole`'s p in the owned points, and
  /// elsewhere what was there. A host may copy the fixed boundary and the padding from p.
  std::size_t wrong(const reference::Whole& whole, bool copies = of_host<Memory>) const {
    const std::vector<float> want = part_of(whole, whole.arrays[P]);
    const std::vector<float> got = downloaded(next);
    const std::vector<float> p = downloaded(arrays[P]);
    std::size_t count = 0;
    for_each([&](std::size_t n, bool owned, bool interior) {
      const bool right =
          owned ? same_bits(got[n], want[n])
                : same_bits(got[n], untouched) || (copies && !interior && same_bits(got[n], p[n]));
      count += right ? 0 : 1;
    });
    return count;
  }

  Grid grid{};
  reference::Extents origin{};
  std::array<ArrayOf<Memory, float>, array_count> arrays;
  ArrayOf<Memory, float> in_one;  ///< empty in the layout of arrays
  ArrayOf<Memory, float> next;
};

/// A whole grid as its sweeps begin. With a seed it has more obstacles than --coefficients random:
/// a fifth of the points.
template <class Exec>
reference::Whole start_of(const reference::Extents& e, const reference::Seed& seed) {
  reference::Whole whole(e, seed);
  whole.rounds_once = !of_host<Exec>;
  std::uint64_t n = 0;
  for (float& bnd : whole.arrays[BND])
    if (seed && reference::splitmix64(n++) % 5 == 0) bnd = 0.0F;
  return whole;
}

/// The naive sweeps over a whole grid, and gosa of the owned points in each.
struct Original {
  reference::Whole whole;
  Box owned;
  std::vector<double> gosa = {};

  void go_on_to(std::size_t sweeps) {
    while (gosa.size() < sweeps) gosa.push_back(whole.sweep(owned));
  }
};

}  // namespace memstencil::jacobi
