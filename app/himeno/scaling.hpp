// The time of the halo of several ranks, by cause.
#pragma once

#include "app/base/record/archive.hpp"

#include <cstdint>
#include <optional>

namespace memstencil::himeno {

struct Scaling {
  std::int64_t exchanges = 0;
  double exchange_seconds = 0;  ///< of an exchange that nothing goes on beside
  /// Phase `halo` is transfer and waiting: what its exchanges take alone, and what is left. Where
  /// they ran beside the sweeps a part is hidden, which is in no phase: at most so much, because an
  /// exchange alone has the host's start and wait besides. Where they took turns nothing is.
  double transfer_seconds = 0, waiting_seconds = 0, hidden_seconds = 0;
  std::optional<bool> edges_first;  ///< did messages run beside the sweeps? Older versions: unknown
  std::optional<double> edges_share;  ///< of a fused pass, before its messages leave, where they do
  int processors = 0;                 ///< GPUs of all ranks, or nodes whose cores sweep
};
void describe(Archive& a, Scaling& scaling);

}  // namespace memstencil::himeno
