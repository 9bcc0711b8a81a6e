// A benchmark from its command line to its result: its main calls start(), choose() and finish().
#include "app/bench/session.hpp"

#include "app/base/program/start.hpp"
#include "app/base/runtime/kokkos_runtime.hpp"

#include <fmt/format.h>
#include <unistd.h>

namespace memstencil {

ProgressLine Session::progress_line() const { return ProgressLine(!quiet(), STDERR_FILENO); }

void Session::say(const std::string& text) const {
  if (!quiet()) fmt::print(stderr, "{}: {}\n", line.program(), text);
}

std::optional<Session> start(CommandLine& line, int argc, const char* const* argv,
                             const Communicator& communicator) {
  const ProgramStart now(argc, argv);
  if (!read_command_line(line, argc, argv, communicator)) return {};
  return Session{line, communicator, now};
}

void complete(const Session& session, ApplicationResult& result) {
  result.origin = origin_of(session.line.common());
  result.options = session.line.options();
  result.machine = facts(session.communicator);
  result.provenance = provenance_of(session.start, KokkosRuntime::host_threads(),
                                    result.own_seconds, session.communicator);
}

}  // namespace memstencil
