// The main of tests that use Kokkos, on one rank or many. Without the GPU that the build
// is for they count as skipped.
#include "app/base/ranks/communicator.hpp"
#include "app/base/runtime/kokkos_runtime.hpp"
#include "memory_spaces/capabilities.hpp"
#include "tests/chosen_files.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <string>

int main(int argc, char** argv) {
  GTEST_FLAG_SET(
      color, "no");  // under Open MPI a rank's output looks like a terminal, though it is a file
  ::testing::InitGoogleTest(&argc, argv);
  memstencil::choose_files(argc, argv);
  const memstencil::ParallelRuntime runtime(argc, argv);
  if (!memstencil::asked_ranks(memstencil::Communicator().size())) return 1;
  constexpr int skipped = 77;
  std::string why;
  if (memstencil::built_for_gpu() && memstencil::gpu_count(&why) == 0) {
    std::printf("skipped: %s\n", why.c_str());
    return skipped;
  }
  const memstencil::KokkosRuntime kokkos(-1);
  return RUN_ALL_TESTS();
}
