// Pins that rank 0's provenance names every rank with its own figures.
#include "app/base/machine/provenance.hpp"

#include <gtest/gtest.h>

namespace memstencil {
namespace {

TEST(ProvenanceOfRanks, HasEveryRanksHostCpusAndTimes) {
  const Communicator communicator;
  const std::array arguments{"himeno"};
  const ProgramStart start(1, arguments.data());
  const Record p =
      provenance_of(start, {3, "0-3"}, {{"sweep", 1.0 + communicator.rank()}}, communicator).record;
  ASSERT_EQ(p["ranks"].size(), static_cast<std::size_t>(communicator.size()));
  double expected = 1;
  for (const Record& rank : p["ranks"]) {
    EXPECT_EQ(rank["host"], p["hosts"][0]);
    EXPECT_EQ(rank["cpus"], "0-3");
    EXPECT_EQ(rank["threads"], 3);
    EXPECT_EQ(rank["seconds"]["sweep"], expected++);
  }
  EXPECT_EQ(p["hosts"].size(), 1u) << "tests run on one host";
  EXPECT_EQ(p["ranks_share_hosts"], communicator.size() > 1);
  EXPECT_EQ(p["ranks_share_cpus"], communicator.size() > 1);
}

TEST(TextsOfRanks, AreGatheredInTheirOrder) {
  const Communicator communicator;
  const auto texts =
      communicator.all_gather(std::string(static_cast<std::size_t>(communicator.rank()), 'x'));
  ASSERT_EQ(texts.size(), static_cast<std::size_t>(communicator.size()));
  for (std::size_t rank = 0; rank < texts.size(); ++rank)
    EXPECT_EQ(texts[rank], std::string(rank, 'x'));
}

}  // namespace
}  // namespace memstencil
