// Pins what the probe exchange says of messages that take a known time.
#include "app/membench/core/program.hpp"
#include "tests/app/base/given_clock.hpp"

#include <gtest/gtest.h>

namespace memstencil::membench {
namespace {

TEST(ExchangeScale, SixteenExchangesOfASecondSendTheirBytesInASixteenth) {
  const Communicator ranks;
  Options options;
  options.probe = "exchange";
  options.axes = {"path=staged", "bytes=1MiB"};
  const Chosen chosen = chosen_probes(options).front();
  if (const std::string why = why_not(*chosen.probe, &ranks); !why.empty()) GTEST_SKIP() << why;
  const GivenClock clock(1);
  const Table table =
      measure(*chosen.probe, chosen.axes,
              {.repeats = 2, .progress = [](const std::string&) {}, .ranks = &ranks});
  ASSERT_EQ(table.rows.size(), 2U);
  for (const Row& row : table.rows) {
    EXPECT_EQ(row.number("seconds"), 1. / 16);
    EXPECT_EQ(row.number("counted_bytes"), 1. * mib);
    EXPECT_DOUBLE_EQ(row.number("gbs"), 16e-9 * mib);
  }
}

}  // namespace
}  // namespace memstencil::membench
