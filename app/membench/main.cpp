// membench: the probes that explain where the time goes in a memory system.
#include "app/common/agree.hpp"
#include "app/common/communicator.hpp"
#include "app/membench/core/program.hpp"

int main(int argc, char** argv) {
  const memstencil::ParallelRuntime runtime(argc, argv);
  const memstencil::Communicator communicator;
  return memstencil::run_program(
      "membench", communicator, [&] { return memstencil::membench::run_membench(argc, argv, communicator); });
}
