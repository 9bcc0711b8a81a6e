// A benchmark at work: the program around a plan that is run.
#include "app/bench/session.hpp"

#include <fmt/format.h>
#include <unistd.h>

namespace memstencil {

ProgressLine Session::progress_line() const { return ProgressLine(!quiet(), STDERR_FILENO); }

void Session::say(const std::string& text) const {
  if (!quiet()) fmt::print(stderr, "{}: {}\n", program, text);
}

}  // namespace memstencil
