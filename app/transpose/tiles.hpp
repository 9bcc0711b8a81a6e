// The tiles that ranks exchange: each rank's rows of A, cut where the rows of the other ranks'
// B begin, and cut again into the pieces of several steps, so that one piece travels while
// others are packed and turned.
#pragma once

#include "app/base/ranks/communicator.hpp"
#include "app/base/ranks/gpu_exchange.hpp"
#include "app/transpose/distribution.hpp"
#include "kernels/transpose/transpose.hpp"
#include "memory_spaces/buffer.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace memstencil::transpose {

/// Some rows of A, and some of its columns.
struct Tile {
  Slice rows, columns;
};

/// The part of A that rank `from` sends to another rank `to` in step `step` of `steps`.
/// From a lower to a higher rank tiles are cut between columns, otherwise between rows: in
/// place what arrives in a step then lies where that was which has left in it. A small tile
/// is empty in the last steps.
Tile tile(const Distribution& part, int from, int to, std::int64_t step, std::int64_t steps);

/// Buffers for the pieces of two steps, each way; of one where there is no other. One rank alone
/// has none.
template <class T>
class Tiles {
public:
  /// Room for all these parts, of which there may be none, in a space that messages can be sent
  /// from.
  /// `unit` as exchange_steps().
  Tiles(MemorySpace space, std::span<const Distribution> parts, std::int64_t unit);

  /// Bytes that it takes.
  static double bytes(std::span<const Distribution> parts, std::int64_t unit);

  std::int64_t steps(const Distribution& part) const { return exchange_steps(part, unit_); }
  /// Packs what this rank's rows of A hold for the other ranks in this
  /// step. Asynchronous on a device.
  template <class Exec>
  void pack(const Exec& exec, const Distribution& part, std::int64_t step, const T* a) const;
  /// One with every rank to which, or from which, something goes in this step.
  std::vector<Message> messages(const Distribution& part, std::int64_t step) const;
  /// Turns what the messages of this step have brought into its places in B.
  std::vector<Job<T>> turning(const Distribution& part, std::int64_t step, T* b,
                              Operation operation) const;
  /// Makes what has arrived no numbers: what no message brings is then found.
  void spoil() const;
  /// Tells a GPU's exchange of the buffers. Good for as long as the tiles
  /// live, which it must outlive. Collective.
  void enroll(GpuExchange& gpu);
  /// Has the exchange taken note of them all?
  bool enrolled() const;

private:
  std::int64_t unit_;
  std::optional<Buffer> outgoing_, incoming_;  ///< a half each for even and for odd steps
  std::vector<std::shared_ptr<void>> enrolled_;
};

}  // namespace memstencil::transpose
