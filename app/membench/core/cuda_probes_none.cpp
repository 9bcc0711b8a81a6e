// A build without CUDA has none of the probes that are native CUDA.
#include "app/membench/core/probes.hpp"

namespace memstencil::membench {

Run cuda_probe(std::string_view) { return {}; }

}  // namespace memstencil::membench
