// One line on a terminal that says how far a long run is.
#include "app/base/cli/progress.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

namespace memstencil {

namespace {

constexpr std::chrono::milliseconds pause_between{100};

void write_text(int descriptor, const std::string& text) {
  // A terminal that has gone is no reason to stop the run.
  if (::write(descriptor, text.data(), text.size()) < 0) return;
}

std::size_t columns(int descriptor) {
  struct winsize size {};
  const bool known = ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
  // The last column is left free: some terminals go to the next line after it.
  return known ? static_cast<std::size_t>(size.ws_col) - 1 : 79;
}

}  // namespace

ProgressLine::ProgressLine(bool wanted, int descriptor)
    : descriptor_(wanted && isatty(descriptor) == 1 ? descriptor : -1) {}

ProgressLine::~ProgressLine() {
  if (shown_) write_text(descriptor_, "\r\033[K");
}

bool ProgressLine::due() const {
  return descriptor_ >= 0 && (!shown_ || std::chrono::steady_clock::now() - last_ >= pause_between);
}

void ProgressLine::write(const std::string& text) {
  last_ = std::chrono::steady_clock::now();
  shown_ = true;
  // Back to the line's start, the text, and clear the rest of the line.
  write_text(descriptor_, "\r" + text.substr(0, columns(descriptor_)) + "\033[K");
}

}  // namespace memstencil
