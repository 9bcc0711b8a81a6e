// Pins that a run ends with one line and exit code 1 where Kokkos aborts: a GPU that failed.
#include "app/common/runtime/abort_line.hpp"

#include <gtest/gtest.h>
#include <Kokkos_Core.hpp>

#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <string>

namespace memstencil {
namespace {

using ::testing::ExitedWithCode;
using ::testing::KilledBySignal;

/// As Kokkos does in front of an error of CUDA after which nothing works: a stand-in.
[[noreturn]] void abort_as_kokkos(const char* error) {
  Kokkos::abort((std::string("cudaStreamSynchronize(stream) error( ") + error +
                 " /opt/kokkos/core/src/Cuda/Kokkos_Cuda_Instance.cpp:153")
                    .c_str());
  std::abort();
}

constexpr const char* illegal_address =
    "cudaErrorIllegalAddress): an illegal memory access was encountered";
constexpr const char* unavailable =
    "cudaErrorDevicesUnavailable): CUDA-capable device(s) is/are busy or unavailable";

/// Memory whose release needs the GPU.
struct OfTheGpu {
  ~OfTheGpu() { abort_as_kokkos(illegal_address); }
};

struct ThrowsAtItsEnd {
  ~ThrowsAtItsEnd() noexcept(false) { throw std::runtime_error(unavailable); }
};

class AbortLineDeath : public ::testing::Test {
protected:
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

TEST_F(AbortLineDeath, AnAbortOfKokkosIsOneLineThatSaysWhere) {
  EXPECT_EXIT(
      {
        const Doing doing([] { return "sweep 33 of 100"; });
        abort_as_kokkos(illegal_address);
      },
      ExitedWithCode(1),
      "^kokkos_tests: sweep 33 of 100: cudaStreamSynchronize\\(stream\\) error\\( "
      "cudaErrorIllegalAddress\\): an illegal memory access was encountered; no result was "
      "written\n$");
}

TEST_F(AbortLineDeath, AnExceptionThatMeetsAnAbortOnItsWayKeepsThePlace) {
  EXPECT_EXIT(
      {
        try {
          const OfTheGpu memory;
          const Doing doing([] { return "sweep 7 of 9"; });
          throw std::runtime_error("lap clock: an illegal memory access was encountered");
        } catch (const std::exception&) {
        }
      },
      ExitedWithCode(1), "^kokkos_tests: sweep 7 of 9: .*cudaErrorIllegalAddress[^\n]*\n$");
}

TEST_F(AbortLineDeath, AnErrorThatLeavesADestructorIsOneLine) {
  EXPECT_EXIT(
      {
        try {
          const ThrowsAtItsEnd lost;
          throw std::runtime_error("lap clock: the GPU is lost");
        } catch (const std::exception&) {
        }
      },
      ExitedWithCode(1), "^kokkos_tests: cudaErrorDevicesUnavailable[^\n]*; no result[^\n]*\n$");
}

TEST_F(AbortLineDeath, OtherAbortsStaySignals) {
  EXPECT_EXIT(std::abort(), KilledBySignal(SIGABRT), "^$");
}

#if defined(KOKKOS_ENABLE_CUDA)

void write_to_an_illegal_address() {
  auto* const nowhere = reinterpret_cast<double*>(std::uintptr_t{0x10});
  Kokkos::parallel_for(
      "illegal address", Kokkos::RangePolicy<Kokkos::Cuda>(0, 1),
      KOKKOS_LAMBDA(int) { *nowhere = 1.0; });
  Kokkos::fence("illegal address");
}

TEST_F(AbortLineDeath, AnIllegalAddressInAKernelIsOneLine) {
  EXPECT_EXIT(
      {
        const Doing doing([] { return "sweep 1 of 1"; });
        write_to_an_illegal_address();
      },
      ExitedWithCode(1), "^kokkos_tests: sweep 1 of 1: [^\n]*cudaErrorIllegalAddress[^\n]*\n$");
}

#endif

}  // namespace
}  // namespace memstencil
