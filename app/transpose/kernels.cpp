// The kernels of one executor: the one place where --exec is turned into an execution space.
#include "app/transpose/kernels.hpp"

#include <Kokkos_Core.hpp>

namespace memstencil::transpose {

namespace {

template <class T, class Exec>
constexpr Kernels<T> kernels_of() {
  return {.variants = variants<T, Exec>,
          .fill = matrix::fill<T, Exec>,
          .check = matrix::check<T, Exec>,
          .pack = matrix::pack<T, Exec>,
          .lap_clock = [] { return make_lap_clock(Exec()); },
          .fence = [] { Kokkos::fence("transpose"); }};
}

}  // namespace

template <class T>
const Kernels<T>& kernels(Executor executor) {
  static constexpr Kernels<T> on_host = kernels_of<T, Kokkos::DefaultHostExecutionSpace>();
  static constexpr Kernels<T> on_device = kernels_of<T, Kokkos::DefaultExecutionSpace>();
  return executor == Executor::Host ? on_host : on_device;
}

template const Kernels<float>& kernels(Executor);
template const Kernels<double>& kernels(Executor);

}  // namespace memstencil::transpose
