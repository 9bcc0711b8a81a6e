// Pins that every probe that this machine can run verifies its data, at sizes that take no time.
#include "app/membench/core/program.hpp"

#include <gtest/gtest.h>

namespace memstencil::membench {
namespace {

/// The first value of each axis of numbers with many of them, and of names all.
std::vector<Axis> few_points(const Probe& probe) {
  std::vector<Axis> axes = probe.axes(false);
  for (Axis& axis : axes) {
    if (axis.name == "bytes") axis.values = {1. * (4 << 20)};
    if (axis.name == "footprint") axis.values = {65536., 8. * (1 << 20)};
    if (axis.name == "side") axis.values = {256.};
    if (axis.values.size() > 8 && std::holds_alternative<double>(axis.values[0]))
      axis.values.resize(2);
  }
  return axes;
}

class EveryProbe : public testing::TestWithParam<std::size_t> {};

TEST_P(EveryProbe, VerifiesWhatItMeasures) {
  const Probe& probe = probes()[GetParam()];
  if (const std::string why = why_not(probe, nullptr); !why.empty()) GTEST_SKIP() << why;
  const Table table = measure(probe, few_points(probe), {.repeats = 2, .experiments = 2});
  for (const Row& row : table.rows)
    for (const auto& [column, series] : row.samples) {
      EXPECT_GT(median(series.values), column == "multiprocessors_left_out" ? -1 : 0) << column;
      EXPECT_EQ(series.experiments.size(), 2U) << probe.name;
    }
}

INSTANTIATE_TEST_SUITE_P(Probes, EveryProbe, testing::Range(std::size_t{0}, probes().size()),
                         [](const auto& each) { return probes()[each.param].name; });

}  // namespace
}  // namespace memstencil::membench
