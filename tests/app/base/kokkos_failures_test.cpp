// Pins that Kokkos' own failures leave the program with the documented code.
#include "app/base/ranks/collectively.hpp"

#include <gtest/gtest.h>
#include <Kokkos_Core.hpp>

#include <string>

namespace memstencil {
namespace {

template <class MemorySpace>
Failure failure_of_allocating(std::size_t bytes) {
  try {
    Kokkos::kokkos_free<MemorySpace>(Kokkos::kokkos_malloc<MemorySpace>("too large", bytes));
  } catch (...) {
    return as_failure(std::current_exception());
  }
  return Failure(ExitCode::Good, "it was allocated");
}

TEST(KokkosFailures, AnAllocationThatFailsIsOfThisMachine) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "AddressSanitizer ends a program that asks for as much";
#endif
  constexpr std::size_t more_than_any_machine_has = std::size_t{1} << 55;
  for (const Failure& failure :
       {failure_of_allocating<Kokkos::HostSpace>(more_than_any_machine_has),
        failure_of_allocating<Kokkos::DefaultExecutionSpace::memory_space>(
            more_than_any_machine_has)}) {
    EXPECT_EQ(failure.code(), ExitCode::Machine) << failure.what();
    EXPECT_NE(std::string(failure.what()).find("failed to allocate"), std::string::npos);
  }
}

}  // namespace
}  // namespace memstencil
