// compare: sets the results of machines side by side, and says why they differ.
#include "app/common/ranks/collectively.hpp"
#include "app/common/ranks/communicator.hpp"
#include "app/common/record/results_reader.hpp"
#include "app/common/runtime/process_start.hpp"
#include "app/compare/program.hpp"

int main(int argc, char** argv) {
  memstencil::start_process();
  memstencil::serve_reader(argc, argv);
  const memstencil::ParallelRuntime runtime(argc, argv);
  const memstencil::Communicator communicator;
  return memstencil::run_program("compare", communicator, [&] {
    return communicator.root() ? memstencil::compare::run_compare(argc, argv)
                               : memstencil::ExitCode::Good;
  });
}
