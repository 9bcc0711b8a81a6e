// Another program, started and waited for: text in, text out.
#pragma once

#include <string>
#include <vector>

namespace memstencil::compare {

struct Ended {
  int code = 0;  ///< its exit code; 128 and the signal where a signal ended it; 127 where it could
                 ///< not start
  std::string output, errors;
};

/// Runs the program (looked up on PATH where its name has no slash) to its end. It must read all
/// its input before it writes.
/// @throws Failure(Other) where the system has no pipe or process left
Ended spawn(const std::vector<std::string>& command, const std::string& input);

}  // namespace memstencil::compare
