// The rows of A and of its transpose that a rank has, and their layout in its memory.
#include "app/transpose/distribution.hpp"

#include <algorithm>

namespace memstencil::transpose {

namespace {

Slice slice(std::int64_t total, int rank, int ranks) {
  const std::int64_t least = total / ranks;
  const std::int64_t longer = total % ranks;  // the first ranks have one row more
  return {least * rank + std::min<std::int64_t>(rank, longer), least + (rank < longer ? 1 : 0)};
}

matrix::Block block(const Slice& rows, const Shape& whole, const Distribution& part) {
  return {.rows = rows.count,
          .columns = whole.columns,
          .pitch = part.pitch.of(whole.columns, part.element_bytes),
          .first_row = rows.first,
          .first_column = 0,
          .global_rows = whole.rows,
          .global_columns = whole.columns};
}

}  // namespace

std::string size_name(const Shape& shape) {
  return std::to_string(shape.rows) + "x" + std::to_string(shape.columns);
}

std::int64_t Pitch::of(std::int64_t columns, std::size_t element_bytes) const {
  switch (kind) {
    case Kind::Lines:
      return row_pitch(columns, element_bytes);
    case Kind::Added:
      return columns + elements;
    case Kind::Fixed:
      return elements;
  }
  return columns;
}

std::int64_t row_pitch(std::int64_t columns, std::size_t element_bytes) {
  const auto line = static_cast<std::int64_t>(128 / element_bytes);
  return (columns + line - 1) / line * line;
}

Slice Distribution::rows_of_a(int of_rank) const { return slice(shape.rows, of_rank, ranks); }
Slice Distribution::rows_of_b(int of_rank) const { return slice(shape.columns, of_rank, ranks); }

matrix::Block Distribution::a() const { return block(rows_of_a(rank), shape, *this); }
matrix::Block Distribution::b() const {
  return block(rows_of_b(rank), {shape.columns, shape.rows}, *this);
}

double Distribution::room(const matrix::Block& block) const {
  constexpr double line = 128;
  const double row = static_cast<double>(block.pitch) * static_cast<double>(element_bytes);
  return static_cast<double>(block.rows) * row + std::max(row, line);
}

}  // namespace memstencil::transpose
