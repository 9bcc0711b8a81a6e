// Machine descriptions: those that we ship, and what is refused.
#include "app/base/machine/machine_description.hpp"
#include "tests/app/base/refusal.hpp"
#include "tests/app/base/temporary_folder.hpp"
#include "tests/app/base/text_checks.hpp"
#include "tests/source_folder.hpp"

#include <gtest/gtest.h>

#include <filesystem>

namespace memstencil {
namespace {

const std::string shipped = source_folder() + "/inputs/machines/";

const std::string least =
    "name = 'm'\ntitle = 'M'\nmatch = {gpu = 'G'}\n"
    "[figures]\ndevice_memory = {gbs = 1e3, kind = 'theory', source = 'sheet'}\n";

std::string refusal_of(const std::string& text) {
  const TemporaryFolder folder;
  return refusal(ExitCode::Usage, [&] { read_machine_description(folder.write("m.toml", text)); });
}

TEST(MachineDescription, AMeasuredFigureStandsBesideTheLimitAndIsWhatIsReached) {
  const MachineDescription machine = read_machine_description(shipped + "miyabi-g.toml");
  EXPECT_EQ(machine.reached("link_host_to_device")->gbs, 410);
  EXPECT_EQ(machine.reached("host_memory")->gbs, 335);  // 310 to 360
  EXPECT_TRUE(contains(machine.reached("host_memory")->source, ": 310 to 360"));
  EXPECT_EQ(machine.reached("network")->gbs, 25);
  EXPECT_FALSE(machine.reached("network")->measured);
  EXPECT_EQ(machine.reached("between_gpus"), nullptr);
}

TEST(MachineDescription, FitsResultsByGpuAndByCoresWhereTheyAreKnown) {
  const MachineDescription machine = read_machine_description(shipped + "miyabi-g.toml");
  EXPECT_TRUE(machine.fits("NVIDIA GH200 120GB", 72));
  EXPECT_TRUE(machine.fits("NVIDIA GH200 120GB", {}));
  EXPECT_FALSE(machine.fits("NVIDIA GH200 120GB", 288));  // Alps
  EXPECT_FALSE(machine.fits("NVIDIA H200", 72));
}

TEST(MachineDescription, EveryShippedOneIsReadAndNamedAsItsFile) {
  for (const auto& entry : std::filesystem::directory_iterator(shipped))
    EXPECT_EQ(read_machine_description(entry.path()).name, entry.path().stem());
}

TEST(MachineDescription, RefusalsNameTheLineAndWhatIsValid) {
  for (const auto& [more, line] : std::vector<std::pair<std::string, std::string>>{
           {"colour = {}\n", "m.toml:6: unknown key 'colour'; valid are host_memory"},
           {"host_memory = {gbs = 0, kind = 'theory', source = 's'}", ":6: gbs: "},
           {"host_memory = {gbs = nan, kind = 'theory', source = 's'}", "a number is wanted"},
           {"host_memory = {gbs = 1, kind = 'guess', source = 's'}", "\"measured\""},
           {"host_memory = {gbs = 1, kind = 'theory'}", "source: a text is missing"},
           {"[measured]\nnetwork = {low = 2, high = 1, source = 's'}", ":7: high: it is under low"},
           {"[measured]\nnetwork = {gbs = 2, low = 1, high = 3, source = 's'}",
            "either gbs, or low and high"},
           {"[parameters]\nx = 1\n", ":7: x: a table is wanted"}})
    EXPECT_TRUE(contains(refusal_of(least + more), line));
  EXPECT_TRUE(contains(refusal_of("missing = [1]\n" + least), "an array of texts is wanted"));
  EXPECT_TRUE(contains(refusal_of("name = 1\n"), "a table is missing"));
}

}  // namespace
}  // namespace memstencil
