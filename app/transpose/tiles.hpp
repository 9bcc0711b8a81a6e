// The tiles that ranks exchange: each rank's rows of A, cut where the rows of the other ranks' B begin.
#pragma once

#include "app/common/ranks/communicator.hpp"
#include "app/transpose/distribution.hpp"
#include "memory_spaces/buffer.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace memstencil::transpose {

/// A tile in memory, rows without gaps: rows of A of one rank, columns that are rows of B of another.
template <class T>
struct Tile {
  const T* data;
  std::int64_t rows, columns;
};

/// Buffers for packed tiles, and their exchange. One rank alone has none.
template <class T>
class Tiles {
public:
  /// Room for this shape and all smaller ones, in a space that messages can be sent from.
  Tiles(MemorySpace space, const Distribution& largest, const Communicator& communicator);

  /// Packs what this rank's rows of A hold for the other ranks, and waits for it.
  template <class Exec>
  void pack(const Exec& exec, const Distribution& part, const T* a) const;
  /// Brings the tiles of all ranks to those that they are for. Collective.
  void exchange(const Distribution& part) const;
  /// After exchange(): what rank `from`, another one, has sent.
  Tile<T> received(const Distribution& part, int from) const;

private:
  const Communicator& communicator_;
  std::optional<Buffer> outgoing_, incoming_;
};

}  // namespace memstencil::transpose
