// The loop of [tsukuba-thesis-2024], list 4.1; CMake compiles this file without optimisation, as
// the thesis did.
#include "kernels/probes/arrays.hpp"

namespace memstencil::probes {

void copy_row_plain(double* to, const double* from, std::size_t count) {
  for (std::size_t n = 0; n < count; ++n) to[n] = from[n];
}

}  // namespace memstencil::probes
