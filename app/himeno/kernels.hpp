// The kernels of one executor: the one place where --exec is turned into an execution space.
#pragma once

#include "kernels/jacobi/boxes.hpp"
#include "kernels/jacobi/initialise.hpp"
#include "kernels/jacobi/variants.hpp"
#include "kernels/lap_clock.hpp"
#include "memory_spaces/memory_space.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace memstencil::himeno {

/// See the functions of the same names in kernels/. All pointers must be good for the executor.
struct Kernels {
  std::vector<jacobi::Variant> (*variants)(const jacobi::Grid&, std::size_t window_bytes);
  void (*initialise)(const jacobi::Grid&, const jacobi::Filling&, jacobi::ArrayId, float*);
  void (*pack)(const jacobi::Grid&, const jacobi::Box&, const float*, float*);
  void (*unpack)(const jacobi::Grid&, const jacobi::Box&, const float*, float*);
  void (*gather)(const jacobi::Grid&, const jacobi::Arrays&, const float*, const std::int64_t*, int, int,
                 float*, float*);
  void (*copy_stream)(float*, const float*, std::int64_t);
  /// Reads the arrays (of `count` floats each) once with all threads; the sum, so that it happens.
  double (*read_stream)(const jacobi::Arrays&, std::int64_t count);
  std::unique_ptr<LapClock> (*lap_clock)();
  void (*fence)();
};

const Kernels& kernels(Executor executor);

}  // namespace memstencil::himeno
