// Messages of any length by calls whose counts are int: in pieces, in the same order on both sides.
#pragma once

#include <algorithm>
#include <cstddef>

namespace memstencil {

/// The same on every rank. Tests make it small.
inline std::size_t longest_piece = std::size_t{1} << 30;

/// Calls use(offset, count) for each piece of a message.
template <class Use>
void in_pieces(std::size_t bytes, Use use) {
  for (std::size_t offset = 0; offset < bytes; offset += longest_piece)
    use(offset, static_cast<int>(std::min(longest_piece, bytes - offset)));
}

}  // namespace memstencil
