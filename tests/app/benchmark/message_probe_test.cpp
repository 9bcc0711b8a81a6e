// Pins the first message that proves what MPI says: one that arrives, late, wrong, or never.
#include "app/placement/message_probe.hpp"

#include "app/common/runtime/failure.hpp"
#include "tests/app/common/text_checks.hpp"

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstring>

namespace memstencil {
namespace {

constexpr MemorySpace host = MemorySpace::SystemAllocated;

TEST(MessageProbe, FindsNothingWhereMessagesArrive) {
  const Communicator ranks;
  const auto really = [&](std::span<const Message> messages, double seconds) {
    for (const Message& message : messages)
      EXPECT_EQ(message.send_bytes + message.receive_bytes, 1024U);
    return ranks.try_exchange(messages, seconds);
  };
  EXPECT_EQ(refuse_messages(host, ranks, really, 10.0), "");
}

TEST(MessageProbe, FindsAMessageThatOneRankNeverGets) {
  const Communicator ranks;
  const auto lost = [&](std::span<const Message> messages, double seconds) {
    return ranks.try_exchange(messages, seconds) && ranks.rank() != ranks.size() - 1;
  };
  EXPECT_EQ(refuse_messages(host, ranks, lost, 10.0), "a first message did not arrive in 10 s");
}

TEST(MessageProbe, FindsWrongContentOnOneRank) {
  const Communicator ranks;
  if (ranks.size() == 1) GTEST_SKIP() << "one rank sends nothing";
  const auto damaged = [&](std::span<const Message> messages, double seconds) {
    const bool arrived = ranks.try_exchange(messages, seconds);
    if (ranks.root()) std::memset(messages.back().receive, 0, 1);
    return arrived;
  };
  // The first byte from the last distance's rank is not 0 on 2 to 4 ranks.
  EXPECT_EQ(refuse_messages(host, ranks, damaged, 10.0),
            "a first message arrived with wrong content");
}

TEST(MessageProbe, EndsWithOneLineWhereMpiCrashes) {
  const Communicator ranks;
  if (ranks.size() != 1) GTEST_SKIP() << "a crash of one rank ends the others";
  testing::FLAGS_gtest_death_test_style = "fast";
  const auto crash = [](std::span<const Message>, double) { return std::raise(SIGSEGV) == 0; };
  EXPECT_EXIT(refuse_messages(host, ranks, crash, 10.0),
              testing::ExitedWithCode(static_cast<int>(ExitCode::Machine)),
              "crashed at the first such message; use nccl or staged messages\n$");
}

TEST(TryExchange, GivesUpWhereNobodySends) {
  const Communicator ranks;
  if (ranks.size() == 1) GTEST_SKIP() << "there is nobody to wait for";
  static std::array<char, 8> never{};  // MPI may write here until the program ends
  const Message message{.peer = (ranks.rank() + 1) % ranks.size(),
                        .receive_tag = 99,
                        .receive = never.data(),
                        .receive_bytes = never.size()};
  const auto began = std::chrono::steady_clock::now();
  EXPECT_FALSE(ranks.try_exchange({&message, 1}, 0.3));
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(10));
  ranks.barrier();  // and MPI still works
}

TEST(TryExchange, WhatComesTooLateMeetsNoReceiveOfTheRun) {
  const Communicator ranks;
  if (ranks.size() == 1) GTEST_SKIP() << "there is nobody to wait for";
  const int next = (ranks.rank() + 1) % ranks.size();
  const int before = (ranks.rank() + ranks.size() - 1) % ranks.size();
  static std::array<char, 8> late{'l', 'a', 't', 'e'};
  const Message unheard{.peer = next, .send = late.data(), .send_bytes = late.size()};
  ranks.try_exchange({&unheard, 1}, 0.3);
  const std::array<char, 8> sent{'r', 'i', 'g', 'h', 't'};
  std::array<char, 8> got{};
  const std::array messages{
      Message{.peer = next, .send = sent.data(), .send_bytes = sent.size()},
      Message{.peer = before, .receive = got.data(), .receive_bytes = got.size()}};
  ranks.exchange(messages);
  EXPECT_EQ(got, sent);
}

}  // namespace
}  // namespace memstencil
