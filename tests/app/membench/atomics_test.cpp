// Pins what the words and the old values of probe atomics have to be, whatever the order of
// threads.
#include "app/membench/compute/atomics.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace memstencil::membench {
namespace {

using namespace atomics_probe;
using probes::AtomicMemory;
using probes::AtomicOperation;
using probes::AtomicType;

/// One update, as the GPU carries it out.
template <class T>
T updated(AtomicOperation operation, T word, T operand) {
  switch (operation) {
    case AtomicOperation::Add:
      return word + operand;
    case AtomicOperation::Min:
      return std::min(word, operand);
    case AtomicOperation::Max:
      return std::max(word, operand);
    case AtomicOperation::And:
      return word & operand;
    case AtomicOperation::Or:
      return word | operand;
    case AtomicOperation::Xor:
      return word ^ operand;
    case AtomicOperation::AddReturning:
    case AtomicOperation::PlainAdd:
      return word + operand;
    case AtomicOperation::Exchange:
      return operand;
    case AtomicOperation::CompareAndSwap:
      break;
  }
  return word == operand ? operand + 1 : word;
}

/// The word of a group of threads after all their updates, one by one.
template <class T>
std::uint64_t carried_out(const AtomicsCase& c, unsigned first, unsigned threads) {
  T word = static_cast<T>(c.initial());
  for (unsigned t = first; t < first + threads; ++t)
    for (unsigned n = 0; n <= static_cast<unsigned>(c.updates()); ++n)
      word = updated(c.operation, word, probes::atomic_operand<T>(c.operation, t, n));
  return word;
}

std::uint64_t carried_out(const AtomicsCase& c, unsigned first, unsigned threads) {
  return c.bits() == 32 ? carried_out<std::uint32_t>(c, first, threads)
                        : carried_out<std::uint64_t>(c, first, threads);
}

TEST(AtomicsCases, AreAllIntegerOperationsAndFloatingPointAdditions) {
  const std::vector<AtomicsCase> cases = atomics_cases();
  std::set<std::string> names;
  for (const AtomicsCase& c : cases)
    names.insert(c.operation_name() + std::to_string(c.bits()) + c.memory_name() +
                 c.addresses_name());
  const std::size_t returning = (3U * 2U + 2U) * 2U * 3U, plain = 4U * 2U;
  EXPECT_EQ(cases.size(), (6U * 2U + 2U) * 2U * 3U + returning + plain);
  EXPECT_EQ(names.size(), cases.size());
}

TEST(AtomicsCases, UpdatesAClockAreTheMiddleOfTheExperiments) {
  Record tables;
  for (const AtomicsCase& c : atomics_cases())
    tables["per clock, " + c.place_name()][c.update_name()] = {2.0, 0.5, 0.75};
  tables["per clock, global, one"]["add 32-bit"] = {0.6, 0.7};
  const Record rates = median_per_clock(tables);
  EXPECT_DOUBLE_EQ(rates["add 32-bit"]["global, one"].get<double>(), 0.65);
  EXPECT_EQ(rates["fp returning add 64-bit"]["shared, one a warp"], 0.75);
  EXPECT_EQ(rates["plain add 64-bit"],
            Record({{"global, spread", 0.75}, {"shared, spread", 0.75}}));
}

TEST(AtomicsCases, WordsAreWhatAllUpdatesOneByOneMakeOfThem) {
  for (const AtomicsCase& c : atomics_cases()) {
    if (c.floating() || c.last_one_wins()) continue;
    const std::vector<std::uint64_t> words = expected_words(c, 2);
    if (c.addresses == Addresses::One && c.memory == AtomicMemory::Global) {
      ASSERT_EQ(words.size(), 1U);
      EXPECT_EQ(words[0], carried_out(c, 0, 2048)) << c.operation_name() << c.bits();
    } else if (c.addresses == Addresses::One) {
      EXPECT_EQ(words[1024], carried_out(c, 1024, 1024)) << c.operation_name() << c.bits();
      EXPECT_EQ(words[1025], c.initial());
    } else {
      const unsigned threads = c.addresses == Addresses::OneAWarp ? 32 : 1;
      const unsigned word = c.memory == AtomicMemory::Shared ? 1024 + 3 : 1024 / threads + 3;
      EXPECT_EQ(words[word * static_cast<std::size_t>(c.pitch())],
                carried_out(c, 1024 + 3 * threads, threads))
          << c.operation_name() << c.bits() << c.memory_name() << c.addresses_name();
    }
  }
}

/// The threads of the first two blocks take turns, an update each, as a GPU might have it; the old
/// values are added up as the kernel does.
struct TurnByTurn {
  std::vector<std::uint64_t> words, returned;
};
TurnByTurn turn_by_turn(const AtomicsCase& c) {
  TurnByTurn all{expected_words(c, 2), {}};
  std::fill(all.words.begin(), all.words.end(), c.initial());
  all.returned.resize(all.words.size());
  const unsigned threads = 2048;
  for (unsigned n = 0; n <= static_cast<unsigned>(c.updates()); ++n)
    for (unsigned turn = 0; turn < threads; ++turn) {
      const unsigned thread = (turn * 37 + n * 11) % threads;  // 37 and 2048 have no common factor
      std::uint64_t& word = all.words[c.word_of(thread)];
      const auto operand = probes::atomic_operand<std::uint64_t>(c.operation, thread, n);
      std::uint64_t& returned = all.returned[c.word_of(thread)];
      returned += c.operation == AtomicOperation::CompareAndSwap ? (word == operand ? 1 : 0) : word;
      word = updated(c.operation, word, operand);
    }
  return all;
}

TEST(AtomicsCases, OldValuesAddUpToWhatWasEverInTheWordWhoeverCameFirst) {
  for (const AtomicsCase& c : atomics_cases()) {
    if (c.floating() || !probes::returns_old(c.operation)) continue;
    const TurnByTurn all = turn_by_turn(c);
    EXPECT_EQ(expected_returned(c, 2, all.words), all.returned)
        << c.operation_name() << c.memory_name() << c.addresses_name();
    const std::vector<std::uint64_t> words = expected_words(c, 2);
    for (std::size_t n = 0; n < words.size(); ++n) {
      const bool untouched = words[n] == c.initial();
      if (c.last_one_wins() && !untouched)
        ASSERT_TRUE(is_last_exchange(c, n, all.words[n])) << n;
      else
        ASSERT_EQ(all.words[n], words[n]) << c.operation_name() << n;
    }
  }
}

TEST(AtomicsCases, ALostExchangeIsNoticed) {
  const AtomicsCase c{AtomicOperation::Exchange, AtomicType::Int32, AtomicMemory::Shared,
                      Addresses::One};
  TurnByTurn all = turn_by_turn(c);
  EXPECT_FALSE(is_last_exchange(c, 0, all.words[0] - 1));
  EXPECT_FALSE(is_last_exchange(c, 1024, all.words[0])) << "of another block";
  ++all.words[0];
  EXPECT_NE(expected_returned(c, 2, all.words), all.returned);
}

TEST(AtomicsCases, OldFloatsAreAddedUpByTheirBits) {
  const AtomicsCase c{AtomicOperation::AddReturning, AtomicType::Float, AtomicMemory::Global,
                      Addresses::Spread};
  std::uint64_t sum = 0;
  for (int old = 0; old <= c.updates(); ++old)
    sum += std::bit_cast<std::uint32_t>(static_cast<float>(old));
  EXPECT_EQ(expected_returned(c, 1, expected_words(c, 1)),
            std::vector<std::uint64_t>(probes::atomics_block, sum));
}

TEST(AtomicsCases, OperandsOfExchangesAreAllDifferentOnTheLargestGpu) {
  for (const AddressesFacts& facts : addresses_facts)
    EXPECT_LT(facts.updates + 1, probes::exchange_step);
  constexpr unsigned last = 192 * 1024 - 1;
  EXPECT_EQ(probes::atomic_operand<std::uint32_t>(AtomicOperation::Exchange, last, 4096),
            probes::atomic_operand<std::uint64_t>(AtomicOperation::Exchange, last, 4096));
}

TEST(AtomicsCases, EveryUpdateChangesTheWordOrTheNextOneDoes) {
  // Otherwise an assembler may leave updates out.
  for (const AtomicOperation operation :
       {AtomicOperation::And, AtomicOperation::Or, AtomicOperation::Min, AtomicOperation::Max})
    for (unsigned n = 0; n < 64; ++n)
      EXPECT_NE(probes::atomic_operand<std::uint32_t>(operation, 31, n),
                probes::atomic_operand<std::uint32_t>(operation, 31, n + 1));
}

TEST(AtomicsCases, SumsOfFloatsStayExactOnTheLargestGpu) {
  constexpr int blocks = 192;
  const AtomicsCase c{AtomicOperation::Add, AtomicType::Float, AtomicMemory::Global,
                      Addresses::One};
  const auto sum = std::bit_cast<float>(static_cast<std::uint32_t>(expected_words(c, blocks)[0]));
  EXPECT_LT(sum, 16777216.0F);
  EXPECT_EQ(sum, static_cast<float>(blocks * 1024 * (c.updates() + 1)));
}

TEST(AtomicsCases, AWarpsWordHasALineOfItsOwnInGlobalMemory) {
  for (const AtomicType type : probes::all_atomic_types) {
    const AtomicsCase c{AtomicOperation::Add, type, AtomicMemory::Global, Addresses::OneAWarp};
    EXPECT_EQ(c.pitch() * c.bits(), 128 * 8);
  }
}

}  // namespace
}  // namespace memstencil::membench
