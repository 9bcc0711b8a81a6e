// The model of transpose: its phases and each of its iterations, predicted
// from the rates of a machine.
#pragma once

#include "app/base/record/record.hpp"
#include "app/compare/model/access_path.hpp"
#include "app/compare/model/machine_rates.hpp"
#include "app/compare/model/message_rates.hpp"
#include "app/compare/model/prediction.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace memstencil::model {

/// The bytes that an iteration of a variant moves.
struct TransposeVariant {
  std::string name;     ///< as --variant names it
  double link_bytes;    ///< over the link, where the matrices lie behind one: whole sectors
  double memory_bytes;  ///< read and written
};

/// The messages of one rank in an iteration.
struct TransposeMessages {
  std::string path;            ///< "nccl", ...
  double bytes = 0;            ///< that leave the rank
  double bytes_elsewhere = 0;  ///< of these, to ranks of other nodes
  std::int64_t steps = 1;      ///< each packs, sends and turns so large a part
  /// The kernel that turns tiles stores them where they belong: nothing is packed or turned twice.
  bool stores = false;
};

/// One rank's part of a run of one shape.
struct TransposeCase {
  double a_bytes = 0.0, b_bytes = 0.0;  ///< of the matrices' memory; no B in place
  double element_bytes = 4.0;
  std::int64_t iterations = 1;
  std::vector<TransposeVariant>
      variants;  ///< each makes all iterations; the yardstick is none of them
  Access access;
  int host_threads = 16;
  MemorySpace space = MemorySpace::Device;
  std::optional<TransposeMessages> messages = {};  ///< of several ranks on GPUs
};

/// As membench measured them between all ranks; nothing where it did not.
std::optional<MessageRates> measured_messages(const TransposeMessages& messages,
                                              const MachineRates& rates);

/// All phases on one rank; `sweeps` are the iterations of the variants, one after the other. In the
/// GPU's own memory an iteration takes its bytes at the part of the copy bandwidth that the variant
/// was measured to reach, or its elements at the pace of shared memory, whichever takes longer
/// (docs/lab/transpose.md); over a link its sectors at the speed of both ways at once; pages and
/// access counters as with himeno.
Prediction predict(const TransposeCase& run, const MachineRates& rates);

}  // namespace memstencil::model
