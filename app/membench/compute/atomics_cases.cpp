// The cases of probe atomics: what is updated, where, by how many threads; and what has to stand there
// afterwards, worked out on the host.
#include "app/membench/compute/atomics_cases.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace memstencil::membench {

using probes::AtomicMemory;
using probes::AtomicOperation;
using probes::AtomicType;

namespace {

/// All that a thread does to its word, the update before the timed ones included.
std::uint64_t after_thread(AtomicOperation operation, std::uint64_t word, unsigned thread, unsigned updates,
                           bool wide) {
  const auto operand = [&](unsigned update) {
    return wide ? probes::atomic_operand<std::uint64_t>(operation, thread, update)
                : probes::atomic_operand<std::uint32_t>(operation, thread, update);
  };
  switch (operation) {
    case AtomicOperation::Add:
      return word + updates;
    case AtomicOperation::Min:
      return std::min(word, operand(updates - 1));
    case AtomicOperation::Max:
      return std::max(word, operand(updates - 1));
    case AtomicOperation::And:
      return word & operand(0) & operand(1);
    case AtomicOperation::Or:
      return word | operand(0) | operand(1);
    case AtomicOperation::Xor:
      break;
  }
  return updates % 2 == 1 ? word ^ operand(0) : word;
}

/// The bits of the sum as a floating-point number.
std::uint64_t as_floating(std::uint64_t count, AtomicType type) {
  if (type == AtomicType::Float) return std::bit_cast<std::uint32_t>(static_cast<float>(count));
  return std::bit_cast<std::uint64_t>(static_cast<double>(count));
}

}  // namespace

std::string AtomicsCase::operation_name() const {
  switch (operation) {
    case AtomicOperation::Add:
      return floating() ? "fp add" : "add";
    case AtomicOperation::Min:
      return "min";
    case AtomicOperation::Max:
      return "max";
    case AtomicOperation::And:
      return "and";
    case AtomicOperation::Or:
      return "or";
    case AtomicOperation::Xor:
      break;
  }
  return "xor";
}

std::string AtomicsCase::memory_name() const { return memory == AtomicMemory::Global ? "global" : "shared"; }

std::string AtomicsCase::addresses_name() const {
  if (addresses == Addresses::One) return "one";
  return addresses == Addresses::OneAWarp ? "one a warp" : "spread";
}

int AtomicsCase::shift() const {
  constexpr int all_threads = 31, warp = 5;
  if (addresses == Addresses::One) return all_threads;
  return addresses == Addresses::OneAWarp ? warp : 0;
}

int AtomicsCase::pitch() const {
  constexpr int line_bits = 128 * 8;
  return memory == AtomicMemory::Global && addresses == Addresses::OneAWarp ? line_bits / bits() : 1;
}

int AtomicsCase::updates() const {
  if (addresses == Addresses::One) return 64;
  return addresses == Addresses::OneAWarp ? 512 : 4096;
}

std::uint64_t AtomicsCase::initial() const {
  if (operation != AtomicOperation::Min && operation != AtomicOperation::And) return 0;
  return bits() == 32 ? std::numeric_limits<std::uint32_t>::max() : std::numeric_limits<std::uint64_t>::max();
}

std::vector<AtomicsCase> atomics_cases() {
  std::vector<AtomicsCase> cases;
  for (const AtomicMemory memory : {AtomicMemory::Global, AtomicMemory::Shared})
    for (const Addresses addresses : all_addresses)
      for (const AtomicType type : probes::all_atomic_types)
        for (const AtomicOperation operation : probes::all_atomic_operations) {
          const AtomicsCase c{operation, type, memory, addresses};
          if (!c.floating() || operation == AtomicOperation::Add) cases.push_back(c);
        }
  return cases;
}

std::vector<std::uint64_t> expected_words(const AtomicsCase& c, int blocks) {
  const auto updates = static_cast<unsigned>(c.updates()) + 1;
  const auto threads = static_cast<unsigned>(blocks * probes::atomics_block);
  constexpr auto block = static_cast<unsigned>(probes::atomics_block);
  const bool shared = c.memory == AtomicMemory::Shared;
  const auto place = [&](unsigned thread) {
    return static_cast<std::size_t>(thread >> c.shift()) * static_cast<std::size_t>(c.pitch());
  };
  std::vector<std::uint64_t> words(shared ? threads : place(threads - 1) + 1, c.initial());
  for (unsigned t = 0; t < threads; ++t) {
    std::uint64_t& word = words[shared ? t / block * block + place(t % block) : place(t)];
    word = after_thread(c.operation, word, t, updates, c.bits() == 64);
  }
  if (c.floating())
    for (std::uint64_t& word : words) word = as_floating(word, c.type);
  return words;
}

}  // namespace memstencil::membench
