// What is asked of NVIDIA's management library, and what a run says where the library fails:
// against libraries of the test's own in its place.
#include "app/base/machine/nvml.hpp"
#include "tests/app/base/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <chrono>

namespace memstencil {
namespace {

const std::string gpu = "GPU-00112233-4455-6677-8899-aabbccddeeff";

TEST(NvmlGpu, TellsItsFactsEnergyAndClocks) {
  const Nvml nvml(gpu, FAKE_NVML_WHOLE);
  EXPECT_EQ(nvml.refused(), "");
  const Nvml::Facts facts = nvml.facts();
  EXPECT_EQ(facts.power_limit_watts, 700.0);
  EXPECT_EQ(facts.max_sm_clock_mhz, 1980.0);
  EXPECT_EQ(facts.max_memory_clock_mhz, 3201.0);
  EXPECT_EQ(facts.addressing_mode, "ATS");
  EXPECT_EQ(facts.ecc, true);  // now; not after the next reboot
  EXPECT_FALSE(facts.refused);
  // 500 W since the clock began.
  const std::chrono::duration<double> clock = std::chrono::steady_clock::now().time_since_epoch();
  EXPECT_NEAR(nvml.joules().value() / clock.count(), 500, 5);
  EXPECT_EQ(nvml.clocks().sm_clock_mhz, 1755.0);
  EXPECT_EQ(nvml.clocks().memory_clock_mhz, 3200.0);
  EXPECT_EQ(nvml.clocks().throttled,
            (std::vector<std::string>{"power cap", "software thermal slowdown"}));
}

TEST(NvmlGpu, OfAnOlderDriverTellsWhatThatServes) {
  const Nvml nvml(gpu, FAKE_NVML_OLDER);
  EXPECT_EQ(nvml.refused(), "");
  EXPECT_EQ(nvml.facts().power_limit_watts, 700.0);
  EXPECT_FALSE(nvml.facts().addressing_mode);
  EXPECT_FALSE(nvml.joules());
  EXPECT_EQ(nvml.clocks().throttled, std::vector<std::string>{"hardware thermal slowdown"});
  EXPECT_FALSE(nvml.clocks().throttled) << "the second time the library does not serve it";
}

TEST(NvmlGpu, CannotBeAskedWithoutALibraryThatWorks) {
  const TemporaryFolder folder;
  const std::string broken = folder.write("libnvidia-ml.so.1", "no library");
  const auto refused = [](const std::string& uuid, const std::string& library) {
    const Nvml nvml(uuid, library);
    EXPECT_FALSE(nvml.joules() || nvml.clocks().sm_clock_mhz || nvml.clocks().throttled);
    EXPECT_FALSE(nvml.facts().power_limit_watts);
    EXPECT_EQ(nvml.facts().refused, nvml.refused());
    return nvml.refused();
  };
  EXPECT_EQ(refused(gpu, folder.file("none.so")).find(folder.file("none.so") + " is not found: "),
            0u);
  EXPECT_EQ(refused(gpu, broken).find(broken + " cannot be loaded: "), 0u);
  EXPECT_EQ(refused(gpu, FAKE_NVML_FAILING), "NVML does not start: Driver Not Loaded");
  EXPECT_EQ(refused("GPU-0", FAKE_NVML_WHOLE), "NVML does not find GPU-0: Not Found");
  EXPECT_EQ(refused(gpu, "libc.so.6").find("the driver's NVML is too old: it lacks nvmlInit_v2"),
            0u);
}

}  // namespace
}  // namespace memstencil
