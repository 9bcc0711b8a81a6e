// A run's memory limit: a bandwidth that its executor gets from its memory, measured in the run.
#pragma once

#include "app/base/ranks/communicator.hpp"
#include "app/base/record/record.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace memstencil {

struct Limit {
  std::string kind;                 ///< "copy", "link" or "read stream"
  double gbs = 0;                   ///< the best sample: the most that a run could move
  std::vector<double> samples_gbs;  ///< over all ranks, each measurement
  bool disturbed = false;           ///< the largest sample is twice the smallest, or more

  Limit() = default;
  /// At least one sample is needed.
  Limit(std::string kind_of_samples, std::vector<double> samples);
  MEMSTENCIL_DESCRIBED(kind, gbs, samples_gbs, disturbed)
};

/// Seven samples from barrier to barrier, each of enough passes to last 10 ms, by the
/// shortest of five trials. Collective.
/// @param bytes that one pass of this rank moves
/// @param pass may be asynchronous: `fence` waits for it
Limit measure(const std::string& kind, double bytes, const std::function<void()>& pass,
              const std::function<void()>& fence, const Communicator& communicator);

/// The copy engine's transfer over the link, of `bytes` bytes of host memory into device memory of
/// its own, or of the first link_bytes of them, which make a transfer long enough. Collective.
Limit measure_link(const void* source, std::size_t bytes, const std::function<void()>& fence,
                   const Communicator& communicator);
inline constexpr std::size_t link_bytes = std::size_t{1} << 28;

}  // namespace memstencil
