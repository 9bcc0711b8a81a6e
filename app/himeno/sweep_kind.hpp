// The values of --sweep.
#pragma once

#include <string>

namespace memstencil::himeno {

/// `single`, `temporal:T` (T sweeps fused into one pass), or `auto`.
struct SweepKind {
  int sweeps = 1;          ///< sweeps a pass
  bool automatic = false;  ///< a short trial chooses
};

/// @throws std::invalid_argument saying what is valid
SweepKind parse_sweep_kind(const std::string& text);
std::string name(const SweepKind& kind);

}  // namespace memstencil::himeno
