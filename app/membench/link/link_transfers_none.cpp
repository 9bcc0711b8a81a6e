// A build without CUDA has no transfers by a GPU.
#include "app/membench/link/link_copies.hpp"

namespace memstencil::membench {

std::vector<Copy> transfers(const ArrayPair&, const ArrayPair&, const std::string&, std::size_t, Kinds) {
  return {};
}

}  // namespace memstencil::membench
