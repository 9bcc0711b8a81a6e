// How a program starts on all of its ranks: with its command line.
#include "app/common/start.hpp"

#include "app/common/agree.hpp"

namespace memstencil {

bool read_command_line(CommandLine& line, int argc, const char* const* argv,
                       const Communicator& communicator) {
  const auto text = agree(communicator, [&] { return line.parse(argc, argv); });
  if (text && communicator.root()) print_result(*text);
  return !text;
}

}  // namespace memstencil
