// Another program, started and waited for.
#pragma once

#include <string>
#include <vector>

namespace memstencil::compare {

struct Ended {
  int code = 0;  ///< 127: it could not be started; above 128: a signal ended it
  std::string output, errors;
};

/// @param input it reads on its standard input
Ended spawn(const std::vector<std::string>& command, const std::string& input);

}  // namespace memstencil::compare
