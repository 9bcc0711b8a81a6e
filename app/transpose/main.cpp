// transpose: matrices turned in the memory space that the user names, by every way that is known.
#include "app/common/ranks/collectively.hpp"
#include "app/common/ranks/communicator.hpp"
#include "app/common/record/results_reader.hpp"
#include "app/common/runtime/process_start.hpp"
#include "app/transpose/program.hpp"

int main(int argc, char** argv) {
  memstencil::start_process();
  memstencil::serve_reader(argc, argv);
  const memstencil::ParallelRuntime runtime(argc, argv);
  const memstencil::Communicator communicator;
  return memstencil::run_program("transpose", communicator, [&] {
    return memstencil::transpose::run_transpose(argc, argv, communicator);
  });
}
