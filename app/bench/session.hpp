// A benchmark from its command line to its result: its main calls start(), choose() and finish().
#pragma once

#include "app/base/cli/options.hpp"
#include "app/base/cli/progress.hpp"
#include "app/base/machine/provenance.hpp"
#include "app/base/program/deliver.hpp"
#include "app/base/ranks/communicator.hpp"
#include "app/base/record/archive.hpp"
#include "app/base/record/results_file.hpp"
#include "app/bench/memory_record.hpp"

#include <optional>
#include <string>

namespace memstencil {

/// A program at work.
struct Session {
  const CommandLine& line;
  const Communicator& communicator;
  ProgramStart start;

  /// Does this rank say nothing but the result?
  bool quiet() const { return line.common().quiet || !communicator.root(); }
  /// On the terminal of rank 0.
  ProgressLine progress_line() const;
  /// A line on rank 0's stderr, after the program's name, unless it is quiet.
  void say(const std::string& text) const;
};

/// Reads the command line. Nothing where --help or --version was all that it asks for. Collective.
/// @throws CollectiveFailure as read_command_line
std::optional<Session> start(CommandLine& line, int argc, const char* const* argv,
                             const Communicator& communicator);

/// Adds the options, the machine and the provenance. Collective.
void complete(const Session& session, ApplicationResult& result);

/// Completes the result, prints it, and writes it into --output, with the field where there is one.
/// Collective.
template <class Result>
void finish(const Session& session, Result result, const FieldBlock* field = nullptr) {
  complete(session, result);
  deliver(session.communicator, session.line.common(),
          {to_record(result), csv_rows(result), text_report(result)},
          name_in_folder({session.line.program(), result.size, result.memspace.requested},
                         result.provenance),
          field);
}

}  // namespace memstencil
