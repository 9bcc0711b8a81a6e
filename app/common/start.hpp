// How a program starts on all of its ranks: with its command line.
#pragma once

#include "app/common/communicator.hpp"
#include "app/common/options.hpp"

namespace memstencil {

/// Reads the command line on every rank, and prints on rank 0 what --help or --version asks for: where this
/// returns false, that was all. Collective. @throws CollectiveFailure as CommandLine::parse
bool read_command_line(CommandLine& line, int argc, const char* const* argv,
                       const Communicator& communicator);

}  // namespace memstencil
