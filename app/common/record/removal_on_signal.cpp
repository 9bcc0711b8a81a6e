// Removes files where a signal ends the process.
#include "app/common/record/removal_on_signal.hpp"

#include <unistd.h>

#include <climits>
#include <cstddef>
#include <stdexcept>

namespace memstencil {

namespace {

// A handler can reach nothing but what is static.
using Path = std::array<char, PATH_MAX>;
std::array<Path, 2> doomed{};
volatile std::sig_atomic_t armed = 0;

extern "C" void remove_and_end(int signal) {
  // unlink and raise are async-signal-safe. The default action is back (SA_RESETHAND), and comes as
  // soon as this handler returns, so that the parent sees which signal it was.
  remove_half_written();
  write_end_line(signal);
  raise(signal);
}

void keep(const std::string& path, Path& kept) {
  if (path.size() >= kept.size())
    throw std::invalid_argument("a path of this length cannot be used: " + path);
  path.copy(kept.data(), path.size());
  kept[path.size()] = '\0';
}

}  // namespace

void remove_half_written() noexcept {
  if (armed != 0)
    for (const Path& path : doomed) unlink(path.data());
}

RemovalOnSignal::RemovalOnSignal(const std::string& first, const std::string& second) {
  if (armed != 0)
    throw std::logic_error("the files of one output at a time can be removed on a signal");
  keep(first, doomed[0]);
  keep(second, doomed[1]);
  armed = 1;
  struct sigaction action {};
  action.sa_handler = remove_and_end;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigemptyset(&action.sa_mask);
  for (std::size_t n = 0; n < ending_signals.size(); ++n) {
    sigaction(ending_signals[n], nullptr, &before_[n]);
    if (before_[n].sa_handler != SIG_IGN) sigaction(ending_signals[n], &action, nullptr);
  }
}

RemovalOnSignal::~RemovalOnSignal() {
  armed = 0;
  for (std::size_t n = 0; n < ending_signals.size(); ++n)
    sigaction(ending_signals[n], &before_[n], nullptr);
}

}  // namespace memstencil
