// A program started by ours: text in, text out.
#pragma once

#include "app/common/runtime/end_by_signal.hpp"

#include <array>
#include <string>
#include <vector>

namespace memstencil {

struct ChildResult {
  int code = 0;  ///< its exit code; 128 and the signal where a signal ended it; 127 where it could
                 ///< not start
  std::string output, errors;
};

/// Runs the program (looked up on PATH where its name has no slash) to its end. It must read all
/// its input before it writes.
/// @throws Failure(Other) where the system has no pipe or process left
ChildResult run_child(const std::vector<std::string>& command, const std::string& input);

/// While it lives, the ending signals end the child that runs, and are kept: what was
/// begun can be taken away first. Its end lets the signal end the process. One at a time in a
/// process; ignored signals stay so.
class SignalsDeferred {
public:
  SignalsDeferred();
  ~SignalsDeferred();
  SignalsDeferred(const SignalsDeferred&) = delete;
  SignalsDeferred& operator=(const SignalsDeferred&) = delete;

private:
  std::array<struct sigaction, ending_signals.size()> before_{};
};

}  // namespace memstencil
