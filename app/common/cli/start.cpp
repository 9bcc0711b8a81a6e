// The start of a program on all of its ranks: it reads the command line.
#include "app/common/cli/start.hpp"

#include "app/common/machine/cpus_at_start.hpp"
#include "app/common/ranks/collectively.hpp"
#include "app/common/ranks/wait_limit.hpp"

#include <fmt/format.h>

#include <array>

namespace memstencil {

bool read_command_line(CommandLine& line, int argc, const char* const* argv,
                       const Communicator& communicator) {
  const auto text = collectively(communicator, [&] { return line.parse(argc, argv); });
  if (text && communicator.root()) print_result(*text);
  if (line.common().timeout) limit_waits(*line.common().timeout, communicator);
  return !text;
}

void warn_of_shared_cpus(const std::string& program, int threads,
                         const Communicator& communicator) {
  const int cpus = count_cpus(cpus_at_start());
  const bool shared = cpus > 0 && threads > cpus;
  std::array<double, 2> worst{shared ? threads : 0.0, shared ? 1.0 / cpus : 0.0};
  communicator.maximum(worst);
  if (worst[0] == 0 || !communicator.root()) return;
  fmt::print(stderr,
             "{}: {} host threads of a rank share {:.0f} of the CPUs, and figures of the host are "
             "low: give a rank more (Open MPI: --map-by node:PE={}), or set OMP_NUM_THREADS\n",
             program, worst[0], 1 / worst[1], worst[0]);
}

}  // namespace memstencil
