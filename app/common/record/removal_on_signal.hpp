// Removes files where a signal ends the process.
#pragma once

#include "app/common/runtime/end_by_signal.hpp"

#include <array>
#include <string>

namespace memstencil {

/// While it lives, the ending signals remove the two files and then end the process as they
/// would have; a signal that was ignored (nohup) stays ignored. One at a time in a process.
class RemovalOnSignal {
public:
  RemovalOnSignal(const std::string& first, const std::string& second);
  ~RemovalOnSignal();
  RemovalOnSignal(const RemovalOnSignal&) = delete;
  RemovalOnSignal& operator=(const RemovalOnSignal&) = delete;

private:
  std::array<struct sigaction, ending_signals.size()> before_{};
};

/// Removes the two files now, for a process that ends at once. Async-signal-safe.
void remove_half_written() noexcept;

}  // namespace memstencil
