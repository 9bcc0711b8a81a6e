// Copies of double arrays: which thread of the host, or of the device, copies which part.
#include "kernels/probes/array_copy.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace memstencil::probes {

namespace {

using CopyRow = void (*)(double*, const double*, std::size_t);

void copy_parts(CopyRow copy_row, double* to, const double* from, std::size_t count) {
  using Exec = Kokkos::DefaultHostExecutionSpace;
  const auto parts = static_cast<std::size_t>(Exec().concurrency());
  Kokkos::parallel_for("host copy",
                       Kokkos::RangePolicy<Exec, Kokkos::Schedule<Kokkos::Static>>(0, parts),
                       [=](const std::size_t part) {
                         const std::size_t begin = count * part / parts;
                         copy_row(to + begin, from + begin, count * (part + 1) / parts - begin);
                       });
  Kokkos::fence("host copy");
}

}  // namespace

void host_copy_plain(double* to, const double* from, std::size_t count) {
  copy_parts(copy_row_plain, to, from, count);
}

void host_copy_vectorised(double* to, const double* from, std::size_t count) {
  copy_parts(copy_row_streaming, to, from, count);
}

void device_copy(double* to, const double* from, std::size_t count) {
  using Exec = Kokkos::DefaultExecutionSpace;
  Kokkos::parallel_for(
      "device copy", Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>(0, count),
      KOKKOS_LAMBDA(const std::size_t n) { to[n] = from[n]; });
  Exec().fence("device copy");
}

}  // namespace memstencil::probes
