// A benchmark from its command line to its result: application.hpp has the order.
#pragma once

#include "app/base/cli/options.hpp"
#include "app/base/machine/provenance.hpp"
#include "app/base/record/results_file.hpp"
#include "app/bench/memory_record.hpp"

#include <initializer_list>
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
  /// A line on rank 0's stderr where the ranks of a host have more threads than CPUs,
  /// shared_cpus(): whatever the host does is then slow. Open MPI binds a rank of one or two to one
  /// core. --quiet does not silence it: it is about the figures. Kokkos must have started.
  /// Collective.
  void warn_of_shared_cpus() const;
};

/// Reads the command line on every rank. Nothing if --help or --version, which rank 0 prints,
/// was all that it asks for. A launcher that started several ranks, where MPI knows of this one
/// alone, is a line on stderr. Collective.
/// @throws CollectiveFailure as CommandLine::parse
std::optional<Session> start(CommandLine& line, int argc, const char* const* argv,
                             const Communicator& communicator);

/// Refuses an --output that cannot become this run's, before anything is computed: the file of
/// --input is never replaced. Collective.
/// @param with_field will the run write a field beside its result?
/// @throws as check_output of its place, CollectiveFailure(Usage)
void check_output(const Communicator& communicator, const CommonOptions& common,
                  bool with_field = false);

/// The facts of rank 0's machine on rank 0, none elsewhere. Collective.
MachineFacts facts(const Communicator& communicator);

/// --label, and MEMSTENCIL_SITE of the environment.
Origin origin_of(const CommonOptions& common);

/// The name of a result in a folder, but for the number behind it: "himeno-XL-device-UTC time".
/// @param parts program, case and memory; empty ones are left out
std::string name_in_folder(std::initializer_list<std::string> parts,
                           const std::optional<Provenance>& provenance);

/// A result in the forms that it leaves a program in.
struct Shown {
  const Record& record;
  const std::string& text;
  const Record* json = nullptr;  ///< what JSON shows in place of the record
};

/// Prints on rank 0, and writes the record, and the field where one is given, into --output: the
/// one also where the other fails. A line on stderr says what the file in a folder is called,
/// unless --quiet was given. Collective.
/// @throws CollectiveFailure as write_result, otherwise as print_result
void deliver(const Communicator& communicator, const CommonOptions& common, const Shown& result,
             const std::string& name, const FieldBlock* field = nullptr);

/// Adds the origin, the options and the provenance. Collective.
void complete(const Session& session, MeasuredResult& result);

/// Completes the result, prints it, and writes it into --output, with the field where there is one.
/// Collective.
template <class Result>
void finish(const Session& session, Result result, const FieldBlock* field = nullptr) {
  complete(session, result);
  result.machine = facts(session.communicator);
  deliver(session.communicator, session.line.common(),
          {to_record(result), text_report(result, session.line.common().verbose)},
          name_in_folder({session.line.program(), result.size, result.memspace.requested},
                         result.provenance),
          field);
}

}  // namespace memstencil
