// The one exception that ends a program on purpose: a line for the user
// and the documented exit code.
#pragma once

#include <stdexcept>
#include <string>

namespace memstencil {

/// Exit codes of every program (docs/reference/command-line.md): scripts depend on them.
enum class ExitCode : int {
  Good = 0,
  Other = 1,         ///< unwritable output, an output that exists, anything else
  Usage = 2,         ///< bad command line or input file
  Machine = 3,       ///< this machine cannot do it
  Verification = 4,  ///< the result failed verification
  Slower = 5,        ///< memcompare --fail-above: the last side is slower than was allowed
};

/// what() is one line, without the program's name, and says what is valid.
class Failure : public std::runtime_error {
public:
  Failure(ExitCode code, const std::string& line) : std::runtime_error(line), code_(code) {}
  ExitCode code() const { return code_; }

private:
  ExitCode code_;
};

}  // namespace memstencil
