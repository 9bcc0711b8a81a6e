// Pins which way the messages of a halo go, and why not another.
#include "app/himeno/plan.hpp"

#include "app/common/runtime/failure.hpp"
#include "memory_spaces/capabilities.hpp"
#include "tests/app/common/text_checks.hpp"

#include <gtest/gtest.h>

namespace memstencil::himeno {
namespace {

Placement placed_on(Executor executor, int ranks_of_gpu = 1) {
  return {.space = MemorySpace::SystemAllocated,
          .pages = Pages::Default,
          .advice = Advice::None,
          .prefetch = false,
          .first_touch = executor,
          .executor = executor,
          .ranks_of_gpu = ranks_of_gpu};
}

std::string refusal_of(HaloPath asked, const Placement& placement) {
  try {
    halo_path(asked, placement);
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.code(), ExitCode::Machine);
    return failure.what();
  }
  return "not refused";
}

TEST(HaloChoice, OfTheHostsSweepsIsStaged) {
  const Placement host = placed_on(Executor::Host);
  EXPECT_EQ(halo_path(HaloPath::Auto, host), HaloPath::Staged);
  EXPECT_EQ(halo_path(HaloPath::Staged, host), HaloPath::Staged);
  EXPECT_TRUE(starts_with(refusal_of(HaloPath::Device, host), "--halo device: the sweeps run on the host"));
  EXPECT_TRUE(starts_with(refusal_of(HaloPath::Nccl, host), "--halo nccl: the sweeps run on the host"));
}

TEST(HaloChoice, OfRanksThatShareAGpuIsNotNccl) {
  const std::string line = refusal_of(HaloPath::Nccl, placed_on(Executor::Device, 2));
  EXPECT_TRUE(starts_with(line, "--halo nccl: 2 ranks share a GPU"));
  EXPECT_TRUE(ends_with(line, "--halo staged"));
}

TEST(HaloChoice, OfABuildWithoutNcclIsNotNccl) {
  if (built_for_gpu()) GTEST_SKIP() << "this build may have it";
  EXPECT_EQ(refusal_of(HaloPath::Nccl, placed_on(Executor::Device)),
            "--halo nccl: this program is built without NCCL; otherwise use --halo staged");
}

}  // namespace
}  // namespace memstencil::himeno
