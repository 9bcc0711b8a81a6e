// The model of transpose: its phases and each of its iterations, from the rates of a machine.
#pragma once

#include "app/compare/model/access.hpp"
#include "app/compare/model/rates.hpp"
#include "app/compare/model/time.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace memstencil::compare::model {

/// The bytes that an iteration of a variant moves.
struct TransposeVariant {
  std::string name;     ///< as --variant names it
  double link_bytes;    ///< over the link, where the matrices lie behind one: whole sectors
  double memory_bytes;  ///< read and written
};

/// A run of one shape on one rank.
struct TransposeCase {
  double a_bytes = 0, b_bytes = 0;  ///< of the matrices' memory
  double element_bytes = 4;
  std::int64_t iterations = 1;
  std::vector<TransposeVariant> variants;  ///< each makes all iterations, one after the other
  Access access;
  int host_threads = 16;
  MemorySpace space = MemorySpace::Device;
};

/// All phases. In the GPU's own memory an iteration takes its bytes at the part of the
/// copy bandwidth that the variant was measured to reach, or its elements at the pace of shared
/// memory, whichever takes longer (docs/lab/transpose.md); over a link its sectors at the speed of
/// both ways at once; pages, access counters and matrices beyond the GPU's memory as with grids.
Prediction predict(const TransposeCase& run, const MachineRates& rates);

}  // namespace memstencil::compare::model
