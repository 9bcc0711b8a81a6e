// Pins that all ranks offer the same.
#include "app/bench/placement.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace memstencil {
namespace {

struct Offered {
  std::string why_not;
};

TEST(WhatOneRankCannotRun, NoneCan) {
  const Communicator communicator;
  std::vector<Offered> offered{{""}, {communicator.root() ? "too narrow" : ""}, {"needs a GPU"}};
  share_why_not(offered, communicator);
  EXPECT_EQ(offered[0].why_not, "");
  EXPECT_EQ(offered[1].why_not, communicator.root() ? "too narrow" : "another rank cannot run it");
  EXPECT_EQ(offered[2].why_not, "needs a GPU");
}

}  // namespace
}  // namespace memstencil
