// The last line of a program that a signal ends: is there a result on disk?
#include "app/common/runtime/end_by_signal.hpp"

#include <errno.h>  // program_invocation_short_name
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstring>

namespace memstencil {

namespace {

// A handler can reach nothing but what is static.
volatile std::sig_atomic_t asked = 0, written = 0;

void put(const char* text) {
  if (write(STDERR_FILENO, text, std::strlen(text)) < 0) return;  // nobody is left to be told
}

extern "C" void tell_and_end(int signal) {
  write_end_line(signal);
  raise(signal);  // the default action is back (SA_RESETHAND)
}

}  // namespace

void write_end_line(int signal) noexcept {
  if (asked == 0) return;
  const std::array<char, 3> number{static_cast<char>('0' + signal / 10),
                                   static_cast<char>('0' + signal % 10)};
  put(program_invocation_short_name);
  put(": ended by signal ");
  put(signal < 10 ? number.data() + 1 : number.data());
  put(written != 0 ? ": the result had been written\n" : ": no result was written\n");
}

void tell_end_by_signal() {
  asked = 1;
  struct sigaction action {
  }, before{};
  action.sa_handler = tell_and_end;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigemptyset(&action.sa_mask);
  for (const int signal : ending_signals) {
    sigaction(signal, nullptr, &before);
    if (before.sa_handler != SIG_IGN) sigaction(signal, &action, nullptr);
  }
}

void tell_that_result_is_written() { written = 1; }

bool result_is_written() noexcept { return written != 0; }

void end_is_told() { asked = 0; }

}  // namespace memstencil
