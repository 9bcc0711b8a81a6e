// Pins what the probe exchange says of messages that take a known time.
#include "app/membench/core/program.hpp"
#include "tests/app/base/given_clock.hpp"
#include "tests/app/grid/spoiled_receives.hpp"

#include <gtest/gtest.h>

#include <limits>

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
  constexpr int none = std::numeric_limits<int>::max();
  const SpoiledMessages counted(MessageFault{.first = none});
  const Table table = measure(*chosen.probe, chosen.axes, {.repeats = 2, .ranks = &ranks});
  ASSERT_EQ(table.rows.size(), 2U);
  for (const Row& row : table.rows) {
    EXPECT_EQ(row.number("seconds"), 1. / 16);
    EXPECT_EQ(row.number("counted_bytes"), 1. * mib);
    EXPECT_DOUBLE_EQ(row.number("gbs"), 16e-9 * mib);
  }
  // Two warm-ups and two samples, and the messages that are looked at; of two patterns.
  EXPECT_EQ(received_messages(), 2 * ((2 + 2) * 16 + 1));
}

}  // namespace
}  // namespace memstencil::membench
