// A second expression of Himeno's update, which shares no code with the sweeps: points of p
// evaluated on the host over their cone of dependence.
#pragma once

#include "app/grid/cone.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace memstencil::himeno {

/// What p depends on. All values are functions of the global index (docs/design.md).
struct Dependence {
  Triple global;                      ///< I, J, K of the whole grid
  std::optional<std::uint64_t> seed;  ///< of random coefficients; nothing: standard ones
  std::uint64_t seed_of_p;            ///< p starts with the random values of this seed
  bool fma;                           ///< is a*b + c rounded once, as on a GPU, or twice?
};

/// p after so many sweeps at the points of `target` (global indices, k fastest), to the bit as
/// every kind of sweep has it.
std::vector<float> evaluate(const Dependence& its, const Box& target, int sweeps);

}  // namespace memstencil::himeno
