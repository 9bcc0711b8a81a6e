// membench: the probes that explain where the time goes in a memory system.
#include "app/base/ranks/collectively.hpp"
#include "app/base/ranks/communicator.hpp"
#include "app/membench/core/program.hpp"

int main(int argc, char** argv) {
  const memstencil::ParallelRuntime runtime(argc, argv);
  const memstencil::Communicator communicator;
  return memstencil::run_program("membench", communicator, [&] {
    return memstencil::membench::run_membench(argc, argv, communicator);
  });
}
