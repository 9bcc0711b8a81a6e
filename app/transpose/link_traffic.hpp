// The traffic on the link of a transpose of host memory, by the
// granularity of its accesses.
#pragma once

#include "app/transpose/distribution.hpp"
#include "kernels/transpose/transpose.hpp"

#include <optional>

namespace memstencil::transpose {

/// Bytes of one iteration. Derived from the access pattern, not measured: every
/// access of a warp carries each 32-byte sector, or 128-byte line, that it touches,
/// and no cache serves two accesses.
struct LinkTraffic {
  double asked;    ///< bytes read and written
  double sectors;  ///< bytes of the sectors touched
  double lines;    ///< bytes of the lines touched
};

/// Bytes of the units of `unit` bytes (a power of two) that are touched where rows x columns
/// elements, a row every `pitch` of them, are accessed `run` neighbours at a time, runs
/// starting at multiples of `run`.
double bytes_touched(std::int64_t rows, std::int64_t columns, std::int64_t pitch, std::int64_t run,
                     std::size_t element_bytes, std::int64_t unit);

/// One job for the whole shape. Nothing for a variant whose accesses are not known: a library's.
std::optional<LinkTraffic> link_traffic(Variant variant, const Shape& shape, Operation operation,
                                        std::size_t element_bytes, const Pitch& pitch = {});

}  // namespace memstencil::transpose
