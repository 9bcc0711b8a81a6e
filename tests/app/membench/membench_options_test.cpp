// Pins the axes of a probe as they are typed: narrowed and widened values, and the refusals of
// others.
#include "app/membench/core/program.hpp"
#include "tests/app/base/refusal.hpp"
#include "tests/app/base/text_checks.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace memstencil::membench {
namespace {

TEST(Axes, OfAProbeAreNarrowedAndWidened) {
  Options options;
  options.probe = "link";
  options.axes = {"by=Loop", "bytes=4kib,12345", "direction=HOST COPY"};  // in any case of letters
  const Chosen link = chosen_probes(options).at(0);
  EXPECT_EQ(link.axes[0].values, (std::vector<Value>{4096., 12345.}));
  EXPECT_EQ(link.axes[2].values, std::vector<Value>{"host copy"});
  EXPECT_EQ(link.axes[3].values, std::vector<Value>{"loop"});
}

TEST(Axes, AProbeOfAllSaysWhichOfTheAskedValuesItDoesNotTake) {
  Options options;
  options.probe = "all";
  options.size = "8";
  int taken = 0, left = 0;
  for (const Chosen& each : chosen_probes(options))
    for (const Axis& axis : each.axes) {
      if (axis.name != "bytes") continue;
      const bool takes = axis.values == std::vector<Value>{8.};
      EXPECT_EQ(each.notes.size(), takes ? 0U : 1U) << each.probe->name;
      ++(takes ? taken : left);
    }
  EXPECT_GT(taken, 0);
  EXPECT_GT(left, 0);
}

TEST(Axes, OfBytesTakeTheUnitsOf10AndOf2) {
  Options options;
  options.probe = "link";
  options.axes = {"bytes=8000B,9kB,3MB,2GB,1TB,8KiB,3MiB,2GiB,1TiB"};
  const std::vector<Value> bytes{8e3,   9e3,      3e6,         2e9,           1e12,
                                 8192., 3145728., 2147483648., 1099511627776.};
  EXPECT_EQ(chosen_probes(options).at(0).axes[0].values, bytes);
  options.axes = {"bytes=8000b,9k,3M,2gb,1t,8ki,3mib,2GIB,1Ti"};
  EXPECT_EQ(chosen_probes(options).at(0).axes[0].values, bytes);
}

TEST(Axes, ThatAProbeHasNotAndValuesThatAreNoneAreRefusedWithWhatIsValid) {
  struct Case {
    const char *probe, *size;
    std::vector<std::string> axes, parts;
  };
  const std::vector<Case> cases{
      {"link", "", {"colour=red"}, {"--axis", "no axis colour", "direction"}},
      {"link", "", {"memroy=pinned"}, {"no axis memroy", "(did you mean memory?)"}},
      {"all",
       "",
       {"memroy=pinned"},
       {"no axis memroy in any probe; valid are", "(did you mean memory?)"}},
      {"all", "", {"colour=red"}, {"--axis", "no axis colour in any probe; valid are "}},
      {"link", "1MiB", {"bytes=4096"}, {"--size", "axis bytes is given twice"}},
      {"link", "", {"direction=up"}, {"--axis", "'up'", "HtoD"}},
      {"link", "", {"memory=pinnd"}, {"'pinnd'", "(did you mean pinned?)"}},
      {"issue", "", {"ilp=7"}, {"--axis", "'7'", "valid are 1, 2, 3, 4, 6, 8"}},
      {"issue", "", {"warps=2.5"}, {"--axis: '2.5' is not an integer from 1 to 64"}},
      {"link", "", {"direction"}, {"--axis", "NAME=VALUE"}},
      {"link", "", {"=HtoD"}, {"--axis", "NAME=VALUE"}},
      {"link", "", {"direction="}, {"--axis", "NAME=VALUE"}},
      {"link", "", {"direction=HtoD", "direction=DtoH"}, {"axis direction is given twice"}}};
  const auto line = [](const Case& each) {
    Options options;
    options.probe = each.probe;
    options.size = each.size;
    options.axes = each.axes;
    return refusal(ExitCode::Usage, [&] { chosen_probes(options); });
  };
  for (const Case& each : cases)
    for (const std::string& part : each.parts) EXPECT_TRUE(contains(line(each), part));
  for (const char* probe : {"shared", "warp", "atomics", "registers", "issue", "block"})
    EXPECT_TRUE(contains(line({probe, "1MiB", {}, {}}), "no axis bytes in "));
  for (const char* size : {"0", "4 GB", "4iB", "4GBi", "4Gx", "GB", "-4096", "1.5GB",
                           "99999999999999999999", "9999999TiB"})
    EXPECT_TRUE(contains(line({"link", size, {}, {}}), "--size: '" + std::string(size) + "'"));
  for (const char* size : {"0", "64", "1PB", "2000TiB"})  // one range
    EXPECT_TRUE(contains(line({"pages", size, {}, {}}),
                         ": valid are bytes from 4096 to 1125899906842624, also"));
}

}  // namespace
}  // namespace memstencil::membench
