// Pins what stands in memory after the updates of probe atomics, against a run of all of them on the host.
#include "app/membench/compute/atomics_cases.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <set>
#include <string>
#include <vector>

namespace memstencil::membench {
namespace {

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
      break;
  }
  return word ^ operand;
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
    names.insert(c.operation_name() + std::to_string(c.bits()) + c.memory_name() + c.addresses_name());
  EXPECT_EQ(cases.size(), (6U * 2U + 2U) * 2U * 3U);
  EXPECT_EQ(names.size(), cases.size());
}

TEST(AtomicsCases, WordsAreWhatAllUpdatesOneByOneMakeOfThem) {
  for (const AtomicsCase& c : atomics_cases()) {
    if (c.floating()) continue;
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
  const AtomicsCase c{AtomicOperation::Add, AtomicType::Float, AtomicMemory::Global, Addresses::One};
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
