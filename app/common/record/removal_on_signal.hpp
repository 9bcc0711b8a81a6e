// Removes files where a signal ends the process.
#pragma once

#include <array>
#include <csignal>
#include <string>

namespace memstencil {

/// While it lives, SIGINT, SIGTERM and SIGHUP remove the two files and then end the process as they
/// would have; a signal that was ignored (nohup) stays ignored. One at a time in a process.
class RemovalOnSignal {
public:
  RemovalOnSignal(const std::string& first, const std::string& second);
  ~RemovalOnSignal();
  RemovalOnSignal(const RemovalOnSignal&) = delete;
  RemovalOnSignal& operator=(const RemovalOnSignal&) = delete;

private:
  static constexpr std::array signals{SIGINT, SIGTERM, SIGHUP};
  std::array<struct sigaction, signals.size()> before_{};
};

/// Removes the two files now, for a process that ends at once. Async-signal-safe.
void remove_half_written() noexcept;

}  // namespace memstencil
