// The start of a program on all of its ranks: it reads the command line.
#pragma once

#include "app/base/cli/options.hpp"
#include "app/base/ranks/communicator.hpp"

#include <string>

namespace memstencil {

/// Reads the command line on every rank, and prints on rank 0 what --help or --version asks for:
/// where this returns false, that was all. Collective.
/// A launcher that started several ranks, where MPI knows of this one alone, is a line on stderr.
/// @throws CollectiveFailure as CommandLine::parse
bool read_command_line(CommandLine& line, int argc, const char* const* argv,
                       const Communicator& communicator);

/// A line on rank 0's stderr where the ranks of a host have more threads than CPUs, shared_cpus():
/// whatever the host does is then slow. Open MPI binds a rank of one or two to one core. --quiet
/// does not silence it: it is about the figures. Collective.
void warn_of_shared_cpus(const std::string& program, int threads, const Communicator& communicator);

}  // namespace memstencil
