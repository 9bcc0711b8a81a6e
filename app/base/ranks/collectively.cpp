// Errors on many ranks: all ranks fail together with one line, and one code leaves the program.
#include "app/base/ranks/collectively.hpp"

#include "memory_spaces/memory_space.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <new>
#include <string>
#include <utility>

namespace memstencil {

namespace {

std::string one_line(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text.empty() ? "an error without a message" : printable(std::move(text));
}

/// Kokkos throws a plain std::runtime_error if an allocation fails; only its text tells.
bool kokkos_out_of_memory(std::string_view line) {
  return line.starts_with("Kokkos ERROR: ") &&
         line.find("failed to allocate") != std::string_view::npos;
}

void print_line(std::string_view program, const Failure& failure) {
  // One write, so that the lines of several ranks do not mix.
  const std::string line = fmt::format("{}: {}\n", program, one_line(failure.what()));
  std::fputs(line.c_str(), stderr);
}

}  // namespace

std::string printable(std::string text) {
  for (std::size_t at = 0; (at = text.find('\xc2', at)) != std::string::npos; ++at)
    if (at + 1 < text.size() && static_cast<unsigned char>(text[at + 1]) < 0xa0)
      text.replace(at, 2, "?");
  const auto control = [](unsigned char c) {
    return (c < 0x20 && c != '\n' && c != '\t') || c == 0x7f;
  };
  std::replace_if(text.begin(), text.end(), control, '?');
  return text;
}

Failure as_failure(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const Failure& failure) {
    return Failure(failure.code(), one_line(failure.what()));
  } catch (const UnsupportedSpace& unsupported) {
    return Failure(ExitCode::Machine, one_line(unsupported.what()));
  } catch (const OutOfMemory& exhausted) {
    return Failure(ExitCode::Machine, one_line(exhausted.what()));
  } catch (const std::bad_alloc&) {
    return Failure(ExitCode::Machine, "out of host memory");
  } catch (const std::exception& other) {
    const std::string line = one_line(other.what());
    return Failure(kokkos_out_of_memory(line) ? ExitCode::Machine : ExitCode::Other, line);
  } catch (...) {
    return Failure(ExitCode::Other, "an error of unknown type");
  }
}

void run_collectively(const Communicator& communicator, const std::function<void()>& step) {
  std::optional<Failure> mine;
  try {
    step();
  } catch (...) {
    mine = as_failure(std::current_exception());
  }
  const int failing =
      static_cast<int>(communicator.minimum(mine ? communicator.rank() : communicator.size()));
  if (failing == communicator.size()) return;
  // The code is one digit.
  std::string line = mine ? std::to_string(static_cast<int>(mine->code())) + mine->what() : "";
  communicator.broadcast(line, failing);
  throw CollectiveFailure(static_cast<ExitCode>(line.front() - '0'), line.substr(1));
}

int run_program(std::string_view program, const Communicator& communicator,
                const std::function<ExitCode()>& body) {
  std::signal(SIGXFSZ, SIG_IGN);  // beyond ulimit -f a write fails, as on a full disk
  try {
    return static_cast<int>(body());
  } catch (const CollectiveFailure& failure) {
    if (communicator.root()) print_line(program, failure);
    return static_cast<int>(failure.code());
  } catch (...) {
    const Failure failure = as_failure(std::current_exception());
    print_line(program, failure);
    // The other ranks would wait for this one for ever.
    if (communicator.size() > 1) communicator.abort(static_cast<int>(failure.code()));
    return static_cast<int>(failure.code());
  }
}

}  // namespace memstencil
