// Pins how pages are counted by where they lie, and what shares of them a record has.
#include "app/bench/memory_record.hpp"

#include <gtest/gtest.h>

namespace memstencil {
namespace {

Residency residency_of(std::size_t on_host, std::size_t on_gpu, std::size_t absent) {
  Residency found;
  found.known = true;
  found.sampled = on_host + on_gpu + absent;
  found.absent = absent;
  found.pages_on_node = {{0, on_host}, {4, on_gpu}};
  return found;
}

TEST(Places, ArePagesOfTheHostOfTheGpusNodeAndNotMapped) {
  PageSides sides;
  sides.add(residency_of(5, 3, 2), 4);
  sides.add(residency_of(10, 0, 0), 4);
  EXPECT_EQ(sides.on_host, 15);
  EXPECT_EQ(sides.on_gpu, 3.0);
  EXPECT_EQ(sides.not_mapped, 2);
  EXPECT_EQ(sides.all(), 20);
}

TEST(Places, AreSharesInARecord) {
  PageMoves moves;
  moves.before.add(residency_of(5, 3, 2), 4);
  moves.after.add(residency_of(1, 9, 0), 4);
  const ResidencyRecord record = residency_record(moves, 4, Executor::Device).value();
  EXPECT_EQ(record.pages, 10);
  EXPECT_EQ(record.before->on_host, 0.5);
  EXPECT_EQ(record.before->on_gpu, 0.3);
  EXPECT_EQ(record.before->not_mapped, 0.2);
  EXPECT_EQ(record.after->on_gpu, 0.9);
  EXPECT_EQ(record.moved, true);
  EXPECT_FALSE(residency_record(moves, -1, Executor::Device)->before->on_gpu) << "it has no node";
}

}  // namespace
}  // namespace memstencil
