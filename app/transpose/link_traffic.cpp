// The traffic on the link of a transpose of host memory, by the
// granularity of its accesses.
#include "app/transpose/link_traffic.hpp"

#include <algorithm>

namespace memstencil::transpose {

namespace {

/// Neighbouring elements of a row of A and of B that a warp accesses at a time.
struct Runs {
  std::int64_t a = 32, b = 32;
};

/// The naive kernels go along the rows of A, and so down the columns of B: every element by itself,
/// or by two where a warp has two rows of a tile of 16 x 16.
Runs runs_of(Variant variant) {
  switch (variant) {
    case Variant::Naive:
      return {.b = 1};
    case Variant::Naive16:
      return {16, 2};
    case Variant::Tiled16:
    case Variant::Padded16:
    case Variant::Diagonal16:
    case Variant::DiagonalConflicts16:
      return {16, 16};
    default:
      return {};
  }
}

/// Units touched by [begin, end) bytes.
std::int64_t units(std::int64_t begin, std::int64_t end, std::int64_t unit) {
  return (end + unit - 1) / unit - begin / unit;
}

}  // namespace

double bytes_touched(std::int64_t rows, std::int64_t columns, std::int64_t pitch, std::int64_t run,
                     std::size_t element_bytes, std::int64_t unit) {
  const auto size = static_cast<std::int64_t>(element_bytes);
  // After this many rows the alignment repeats.
  const std::int64_t period = std::min(rows, unit);
  double total = 0;
  for (std::int64_t row = 0; row < period; ++row) {
    const std::int64_t start = row * pitch * size % unit;
    std::int64_t of_row = 0;
    for (std::int64_t column = 0; column < columns; column += run)
      of_row += units(start + column * size, start + std::min(column + run, columns) * size, unit);
    const std::int64_t alike = (rows - row + period - 1) / period;
    total += static_cast<double>(of_row) * static_cast<double>(alike);
  }
  return total * static_cast<double>(unit);
}

std::optional<LinkTraffic> link_traffic(Variant variant, const Shape& shape, Operation operation,
                                        std::size_t element_bytes, const Pitch& pitch) {
  if (variant == Variant::Vendor) return {};
  const bool copies = variant == Variant::Copy;
  const Runs runs = runs_of(variant);
  const Shape b = copies ? shape : Shape{shape.columns, shape.rows};
  const int times_b = operation == Operation::Accumulate ? 2 : 1;
  const auto touched = [&](std::int64_t unit) {
    return bytes_touched(shape.rows, shape.columns, pitch.of(shape.columns, element_bytes), runs.a,
                         element_bytes, unit) +
           times_b * bytes_touched(b.rows, b.columns, pitch.of(b.columns, element_bytes), runs.b,
                                   element_bytes, unit);
  };
  const double elements = static_cast<double>(shape.rows) * static_cast<double>(shape.columns);
  return LinkTraffic{elements * (1 + times_b) * static_cast<double>(element_bytes), touched(32),
                     touched(128)};
}

}  // namespace memstencil::transpose
