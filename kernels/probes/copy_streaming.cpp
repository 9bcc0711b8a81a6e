// The vectorised copy of one core.
#include "kernels/host_stores.hpp"
#include "kernels/probes/arrays.hpp"

namespace memstencil::probes {

void copy_row_streaming(double* to, const double* from, std::size_t count) {
  stream_elements(to, from, static_cast<std::int64_t>(count));
  finish_streaming();
}

}  // namespace memstencil::probes
