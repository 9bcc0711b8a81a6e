// Blocks of matrices: filled with values that their global indices give,
// checked against these, packed.
#pragma once

#include "kernels/portable.hpp"
#include "kernels/random.hpp"

#include <cstdint>
#include <type_traits>

namespace memstencil::matrix {

/// rows x columns elements in memory, a row every `pitch` elements: those from (first_row,
/// first_column) on of a matrix of global_rows x global_columns.
struct Block {
  std::int64_t rows, columns, pitch;
  std::int64_t first_row, first_column;
  std::int64_t global_rows, global_columns;
};

/// The elements of a block: of a matrix A of random values in [-0.5, 0.5), of the hash of the
/// row-major global index. Values of floats have 24 bits, of doubles 53.
enum class Content {
  A,           ///< A(i,j)
  Transposed,  ///< A(j,i): the matrix is A^T
};

/// Exact: a multiple of 2^-24, or 2^-53, less a half.
template <class T>
MEMSTENCIL_FUNCTION T random_value(std::int64_t n) {
  constexpr std::uint64_t seed = 1;
  const std::uint64_t h = element_hash(seed, 0, static_cast<std::uint64_t>(n));
  if constexpr (std::is_same_v<T, float>)
    return static_cast<float>(h >> 40) * 0x1p-24F - 0.5F;
  else
    return static_cast<double>(h >> 11) * 0x1p-53 - 0.5;
}

/// The value of element (row, column) of the block.
template <class T>
MEMSTENCIL_FUNCTION T value(const Block& block, Content content, std::int64_t row,
                            std::int64_t column) {
  const std::int64_t i = block.first_row + row;
  const std::int64_t j = block.first_column + column;
  return random_value<T>(content == Content::A ? i * block.global_columns + j
                                               : j * block.global_rows + i);
}

/// Writes every element of the block, and zeros into the rest of each row: a kernel of `exec`, a
/// thread a run of rows, which so touches the pages first. Fences.
template <class Exec, class T>
void fill(const Exec& exec, const Block& block, Content content, T* data);

/// The result of check().
struct Wrong {
  std::int64_t count;        ///< elements that are not what they should be, NaN included
  std::int64_t row, column;  ///< of the first one in the block; 0 if there is none
};

/// Compares every element to the bit. Fences.
template <class Exec, class T>
Wrong check(const Exec& exec, const Block& block, Content content, const T* data);

/// Copies rows x columns elements, a row every `pitch`, into rows without
/// gaps. Asynchronous on a device.
template <class Exec, class T>
void pack(const Exec& exec, const T* from, std::int64_t pitch, std::int64_t rows,
          std::int64_t columns, T* packed);

}  // namespace memstencil::matrix
