// The kernels of one executor: the one place where --exec is turned into an execution space.
#include "app/himeno/kernels.hpp"

#include "kernels/copy_stream.hpp"
#include "kernels/jacobi/read_stream.hpp"

#include <Kokkos_Core.hpp>

#include <vector>

namespace memstencil::himeno {

namespace {

double read_on_host(const jacobi::Arrays& arrays, std::int64_t count) {
  std::vector<jacobi::Stream> streams;
  for (const float* data : arrays) streams.push_back({data, count});
  return jacobi::read_stream<Kokkos::DefaultHostExecutionSpace>(streams);
}

template <class Exec>
constexpr Kernels kernels_of() {
  return {.variants = jacobi::variants<Exec>,
          .initialise = jacobi::initialise<Exec>,
          .pack = jacobi::pack<Exec>,
          .unpack = jacobi::unpack<Exec>,
          .gather = jacobi::gather<Exec>,
          .copy_stream = copy_stream<Exec>,
          .read_stream = read_on_host,
          .lap_clock = make_lap_clock<Exec>,
          .fence = [] { Kokkos::fence("himeno"); }};
}

}  // namespace

const Kernels& kernels(Executor executor) {
  static constexpr Kernels on_host = kernels_of<Kokkos::DefaultHostExecutionSpace>();
  static constexpr Kernels on_device = kernels_of<Kokkos::DefaultExecutionSpace>();
  return executor == Executor::Host ? on_host : on_device;
}

}  // namespace memstencil::himeno
