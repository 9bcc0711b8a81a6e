// himeno: the Jacobi solver of the Himeno benchmark in the memory space that the user names.
#include "app/common/ranks/collectively.hpp"
#include "app/common/ranks/communicator.hpp"
#include "app/common/record/results_reader.hpp"
#include "app/common/runtime/process_start.hpp"
#include "app/himeno/program.hpp"

int main(int argc, char** argv) {
  memstencil::start_process();
  memstencil::serve_reader(argc, argv);
  const memstencil::ParallelRuntime runtime(argc, argv);
  const memstencil::Communicator communicator;
  return memstencil::run_program("himeno", communicator, [&] {
    return memstencil::himeno::run_himeno(argc, argv, communicator);
  });
}
