// One line and exit code 1 where the run cannot go on and nothing can be undone: a GPU that failed.
#include "app/common/runtime/abort_line.hpp"

#include "app/common/runtime/failure.hpp"

#include <errno.h>  // program_invocation_short_name
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstddef>
#include <exception>
#include <iostream>
#include <sstream>
#include <string_view>
#include <utility>

namespace memstencil {

namespace {

// A handler can reach nothing but what is static.
std::stringbuf kept_words;  // what is written to std::cerr
std::streambuf* cerr_before = nullptr;
std::terminate_handler terminate_before = nullptr;
struct sigaction abort_before {};
std::function<std::string()> doing;

/// The place of the stack trace in the text of Kokkos' own aborts; npos in other texts.
std::size_t trace_in(std::string_view text) {
  return std::min(text.find("\nTraceback "), text.find("\nBacktrace:"));
}

/// Kokkos' message in front of the trace: older words may stand before it, and it ends with the
/// place in Kokkos' own sources.
std::string_view reason_in(std::string_view text) {
  text = text.substr(0, trace_in(text));
  text.remove_prefix(text.rfind('\n') + 1);
  const std::size_t place = text.rfind(" /");
  return place == std::string_view::npos ? text : text.substr(0, place);
}

[[noreturn]] void end_with(std::string_view reason) {
  std::signal(SIGABRT, SIG_DFL);  // an error in here ends as it would have
  const std::string line =
      fmt::format("{}: {}{}\n", program_invocation_short_name, doing ? doing() + ": " : "", reason);
  if (write(STDERR_FILENO, line.data(), line.size()) < 0) {
  }  // nobody is left to be told
  _exit(static_cast<int>(ExitCode::Other));
}

extern "C" void abort_with_a_line(int) {
  const std::string_view text = kept_words.view();
  if (trace_in(text) != std::string_view::npos) end_with(reason_in(text));
}

[[noreturn]] void terminate_with_a_line() {
  std::string reason = "an error of unknown type";
  try {
    if (const std::exception_ptr error = std::current_exception()) std::rethrow_exception(error);
  } catch (const std::exception& error) {
    reason = error.what();
  } catch (...) {
  }
  end_with(std::string_view(reason).substr(0, reason.find('\n')));
}

}  // namespace

AbortLine::AbortLine() {
  kept_words.str("");
  cerr_before = std::cerr.rdbuf(&kept_words);
  terminate_before = std::set_terminate(terminate_with_a_line);
  struct sigaction action {};
  action.sa_handler = abort_with_a_line;
  sigemptyset(&action.sa_mask);
  sigaction(SIGABRT, &action, &abort_before);
}

AbortLine::~AbortLine() {
  sigaction(SIGABRT, &abort_before, nullptr);
  std::set_terminate(terminate_before);
  std::cerr.rdbuf(cerr_before);
  std::cerr << kept_words.view() << std::flush;  // messages of Kokkos and its tools
}

Doing::Doing(std::function<std::string()> words) : exceptions_(std::uncaught_exceptions()) {
  doing = std::move(words);
}

Doing::~Doing() {
  if (std::uncaught_exceptions() > exceptions_)
    doing = [said = doing()] { return said; };
  else
    doing = nullptr;
}

}  // namespace memstencil
