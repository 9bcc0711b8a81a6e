// The cases of probe atomics: what is updated, where, by how many threads; and what has to stand
// there afterwards, worked out on the host.
#pragma once

#include "app/common/record/record.hpp"
#include "kernels/probes/atomics.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace memstencil::membench::atomics_probe {

enum class Addresses { One, OneAWarp, Spread };
inline constexpr std::array all_addresses{Addresses::One, Addresses::OneAWarp, Addresses::Spread};

struct AddressesFacts {
  const char* name;
  int shift;    ///< threads whose numbers differ in the lowest so many bits share a word
  int updates;  ///< timed, of each thread: the slower, the fewer
};
/// In the order of all_addresses.
inline constexpr std::array<AddressesFacts, 3> addresses_facts{
    {{"one", 31, 64}, {"one a warp", 5, 512}, {"spread", 0, 4096}}};

/// One: all threads update one word (of the GPU in global memory, of the SM in shared).
/// OneAWarp: a word for each warp, in global memory a 128-byte line for each. Spread: a word
/// for each thread, side by side.
struct AtomicsCase {
  probes::AtomicOperation operation = probes::AtomicOperation::Add;
  probes::AtomicType type = probes::AtomicType::Int32;
  probes::AtomicMemory memory = probes::AtomicMemory::Global;
  Addresses addresses = Addresses::One;

  bool floating() const {
    return type == probes::AtomicType::Float || type == probes::AtomicType::Double;
  }
  int bits() const {
    return type == probes::AtomicType::Int32 || type == probes::AtomicType::Float ? 32 : 64;
  }
  bool global() const { return memory == probes::AtomicMemory::Global; }
  /// "add", "fp add" for floating-point numbers, "min", ...
  std::string operation_name() const;
  std::string memory_name() const { return global() ? "global" : "shared"; }
  const AddressesFacts& facts() const {
    return addresses_facts[static_cast<std::size_t>(addresses)];
  }
  std::string addresses_name() const { return facts().name; }
  /// "add 32-bit"
  std::string update_name() const;
  /// "global, one a warp"
  std::string place_name() const { return memory_name() + ", " + addresses_name(); }

  /// A thread's word is (thread >> shift) * pitch.
  int shift() const { return facts().shift; }
  int pitch() const;
  int updates() const { return facts().updates; }
  /// The place among the words of a thread of the grid: in global memory, or in the shared memory
  /// of all blocks, one block's after the other's.
  std::size_t word_of(unsigned thread) const;
  /// Nobody knows which of several threads exchanges last.
  bool last_one_wins() const { return operation == probes::AtomicOperation::Exchange; }
  /// The value of each word before the launch.
  std::uint64_t initial() const;
};

/// Every case there is: integers of both sizes with all operations, floating-point numbers with
/// those that add. Plain additions only spread: of a shared word they lose some.
std::vector<AtomicsCase> atomics_cases();

/// {update_name(): {place_name(): updates a clock}}, from the tables "per clock, " + place_name(),
/// which have a row an experiment.
Record median_per_clock(const Record& tables);

/// The words after a launch of so many blocks, each in the low bits of one number: of
/// global memory up to the last word used, or of every block's shared memory
/// (probes::atomics_block words a block). After exchanges: those of each word's last thread.
std::vector<std::uint64_t> expected_words(const AtomicsCase& c, int blocks);

/// May an exchange have left this value in word n: is it the last of a thread of that word?
bool is_last_exchange(const AtomicsCase& c, std::size_t n, std::uint64_t value);

/// The sum of AtomicsJob::returned over the threads of each word, after a launch that left `words`:
/// whatever the order, what was ever put into a word is an old value or stands there now. To be
/// taken modulo 2^32 for words of 32 bits; 0 for words without threads.
std::vector<std::uint64_t> expected_returned(const AtomicsCase& c, int blocks,
                                             const std::vector<std::uint64_t>& words);

}  // namespace memstencil::membench::atomics_probe
