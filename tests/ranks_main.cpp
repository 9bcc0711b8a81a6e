// The main of tests that use the ranks of the run.
#include "app/base/ranks/communicator.hpp"
#include "tests/chosen_files.hpp"

#include <gtest/gtest.h>

int main(int argc, char** argv) {
  GTEST_FLAG_SET(
      color, "no");  // under Open MPI a rank's output looks like a terminal, though it is a file
  ::testing::InitGoogleTest(&argc, argv);
  memstencil::choose_files(argc, argv);
  const memstencil::ParallelRuntime runtime(argc, argv);
  if (!memstencil::asked_ranks(memstencil::Communicator().size())) return 1;
  return RUN_ALL_TESTS();
}
