// What one core does in a host copy.
#pragma once

#include <cstddef>

namespace memstencil::probes {

/// Element by element; its file is compiled without optimisation.
void copy_row_plain(double* to, const double* from, std::size_t count);

/// Vectorised, with stores past the caches where the processor has them.
void copy_row_streaming(double* to, const double* from, std::size_t count);

}  // namespace memstencil::probes
