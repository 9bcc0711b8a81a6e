// The device's copy of thesis 003, section 4.2: an element a thread.
#include "kernels/probes/element_copy.hpp"

#include <Kokkos_Core.hpp>

namespace memstencil::probes {

void device_copy(double* to, const double* from, std::size_t count) {
  using Exec = Kokkos::DefaultExecutionSpace;
  Kokkos::parallel_for(
      "device copy", Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>(0, count),
      KOKKOS_LAMBDA(const std::size_t n) { to[n] = from[n]; });
  Exec().fence("device copy");
}

}  // namespace memstencil::probes
