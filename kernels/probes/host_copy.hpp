// Copies of double arrays by the host's threads: the thesis' plain loop, and one that is vectorised.
#pragma once

#include <cstddef>

namespace memstencil::probes {

/// to[n] = from[n] for all n < count by all threads of the host, a contiguous part each, as OpenMP's static
/// schedule gives them. A core runs the loop of thesis 003, list 4.1 (lines 20-22), as written there:
/// compiled without optimisation, an element at a time.
void host_copy_plain(double* to, const double* from, std::size_t count);

/// The same with the compiler's vector instructions and, where the processor has them, stores past the
/// caches, so that the destination is not read first.
void host_copy_vectorised(double* to, const double* from, std::size_t count);

}  // namespace memstencil::probes
