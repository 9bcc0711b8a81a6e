// The device's copy of thesis 003, section 4.2: an element a thread.
#pragma once

#include <cstddef>

namespace memstencil::probes {

/// to[n] = from[n] for all n < count, as list 4.7 has it: each thread one double. Waits for the end. In a
/// build without a GPU by the host. (The host's own copy, list 4.6, is host_copy_plain.)
void device_copy(double* to, const double* from, std::size_t count);

}  // namespace memstencil::probes
