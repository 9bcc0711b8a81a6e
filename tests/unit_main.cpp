// The main of tests that need neither ranks nor Kokkos.
#include "tests/chosen_files.hpp"

#include <gtest/gtest.h>

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  memstencil::choose_files(argc, argv);
  return RUN_ALL_TESTS();
}
