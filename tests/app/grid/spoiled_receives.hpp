// MPI's receives taken over, so that what arrives can be spoiled.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>
#include <vector>

namespace memstencil {

/// What happens to received messages of 64 bytes and more.
struct MessageFault {
  enum class Kind {
    Stale,    ///< the memory keeps what it held
    Late,     ///< the message before it from the same neighbour comes in its place
    Swapped,  ///< it changes places with another neighbour's of the same size
    OneBit,   ///< the lowest bit of one float
    Shifted,  ///< by one float
    Short,    ///< the last quarter is missing
    Held      ///< no fault: it comes up to 5 ms later, and till then its place is NaN
  };

  Kind kind = Kind::Stale;
  int first = 1;  ///< message that is spoiled, counted on each rank
  int last = std::numeric_limits<int>::max();
  std::optional<int> rank = {};  ///< that alone receives spoiled messages; nothing: all do
};

/// What arrives in place of a message, by the message alone.
/// @param before what stood in its place
/// @param bit_at the byte with the bit of OneBit
inline std::vector<char> spoiled(MessageFault::Kind kind, const std::vector<char>& before,
                                 const std::vector<char>& sent, std::size_t bit_at) {
  using Kind = MessageFault::Kind;
  constexpr std::ptrdiff_t element = sizeof(float);
  std::vector<char> out = kind == Kind::Stale ? before : sent;
  if (kind == Kind::OneBit) out.at(bit_at) ^= 1;
  if (kind == Kind::Shifted) std::copy(sent.begin(), sent.end() - element, out.begin() + element);
  const auto first = static_cast<std::ptrdiff_t>(sent.size()) / element / 4 * 3 * element;
  if (kind == Kind::Short) std::copy(before.begin() + first, before.end(), out.begin() + first);
  return out;
}

/// Spoils received messages as long as it lives; nothing: it leaves them as they are.
class SpoiledMessages {
public:
  explicit SpoiledMessages(const std::optional<MessageFault>& fault);
  ~SpoiledMessages();
  SpoiledMessages(const SpoiledMessages&) = delete;
  SpoiledMessages& operator=(const SpoiledMessages&) = delete;
};

/// Messages that this rank received, and those that it received changed, in the life of the last
/// SpoiledMessages.
int received_messages();
int changed_messages();

}  // namespace memstencil
