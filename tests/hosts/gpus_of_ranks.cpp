// Prints "HOST RANK GPU" for each rank, where every host has the number of GPUs that the command
// line says: in place of CUDA's list of devices.
#include "app/base/machine/machine_facts.hpp"
#include "app/bench/placement.hpp"

#include <fmt/format.h>

#include <cstdlib>

int main(int argc, char** argv) {
  const memstencil::ParallelRuntime runtime(argc, argv);
  const memstencil::Communicator communicator;
  const int count = argc > 1 ? std::atoi(argv[1]) : 0;
  const std::string mine = fmt::format(
      "{} {} {}\n", memstencil::first_line("/proc/sys/kernel/hostname").value_or("?"),
      communicator.rank(), memstencil::gpu_of_rank({}, count, communicator.node_rank()));
  for (const std::string& each : communicator.all_gather(mine))
    if (communicator.root()) fmt::print("{}", each);
}
