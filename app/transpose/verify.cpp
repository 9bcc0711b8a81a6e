// Is the result right? One more iteration, every element of which is compared.
#include "app/transpose/verify.hpp"

#include "app/common/agree.hpp"
#include "memory_spaces/movement.hpp"

#include <fmt/format.h>

namespace memstencil::transpose {

namespace {

using matrix::Content;

/// The rows that the copy in place reads: the upper half.
matrix::Block upper_half(matrix::Block block) {
  block.rows = (block.rows + 1) / 2;
  return block;
}

template <class T>
Expected<T> expected(bool copy, const Setup& setup, const Distribution& part, const Matrices<T>& matrices) {
  const matrix::Block a = part.a();
  switch (setup.operation) {
    case Operation::Plain:
      return {copy ? a : part.b(), copy ? Content::A : Content::Transposed, matrices.b()};
    case Operation::Accumulate:
      return {copy ? a : part.b(), copy ? Content::PlusA : Content::PlusTransposed, matrices.b()};
    case Operation::InPlace:
      break;
  }
  if (!copy) return {part.b(), Content::Transposed, matrices.a()};
  const matrix::Block half = upper_half(a);
  return {half, Content::A, matrices.a() + half.rows * half.pitch};
}

/// What the iteration starts from.
template <class T>
void prepare(const Expected<T>& result, const Setup& setup, const Distribution& part,
             const Matrices<T>& matrices) {
  const Kernels<T>& k = kernels<T>(setup.placement.executor);
  const bool moves_in_place = result.data == matrices.a();
  if (setup.operation == Operation::Accumulate)
    k.fill(result.block, Content::B0, matrices.b());
  else if (!moves_in_place)
    fill(result.data, 0xFF, bytes_of<T>(result.block));
  // In place a variant before has moved A, or the copy has overwritten its half.
  if (setup.operation == Operation::InPlace)
    k.fill(moves_in_place ? part.a() : result.block, Content::A, matrices.a());
}

}  // namespace

template <class T>
void compare(const Expected<T>& expected, const T* data, Executor executor, const std::string& what) {
  const matrix::Block& block = expected.block;
  const matrix::Wrong wrong = kernels<T>(executor).check(block, expected.content, data);
  if (wrong.count == 0) return;
  T found{};
  copy(&found, data + wrong.row * block.pitch + wrong.column, sizeof(T));
  throw Failure(
      ExitCode::Verification,
      fmt::format("verification failed: {}: element ({}, {}) is {}, not {}; {} of {} elements are wrong",
                  what, block.first_row + wrong.row, block.first_column + wrong.column, found,
                  matrix::value<T>(block, expected.content, wrong.row, wrong.column), wrong.count,
                  block.rows * block.columns));
}

template <class T>
Expected<T> verify(const Variant<T>& variant, const Setup& setup, const Distribution& part,
                   const Matrices<T>& matrices, const Transposer<T>& transposer,
                   const Communicator& communicator) {
  const Executor executor = setup.placement.executor;
  const std::string what = fmt::format("{} of {}", variant.name, size_name(part.shape));
  const Expected<T> result = expected(variant.name == copy_name, setup, part, matrices);
  agree(communicator, [&] { prepare(result, setup, part, matrices); });
  transposer.once(variant);
  agree(communicator, [&] {
    compare(result, result.data, executor, what);
    if (setup.operation != Operation::InPlace)
      compare({part.a(), Content::A, matrices.a()}, matrices.a(), executor, what + ", in A");
  });
  return result;
}

#define MEMSTENCIL_INSTANTIATE(T)                                                                       \
  template void compare(const Expected<T>&, const T*, Executor, const std::string&);                    \
  template Expected<T> verify(const Variant<T>&, const Setup&, const Distribution&, const Matrices<T>&, \
                              const Transposer<T>&, const Communicator&);
MEMSTENCIL_INSTANTIATE(float)
MEMSTENCIL_INSTANTIATE(double)
#undef MEMSTENCIL_INSTANTIATE

}  // namespace memstencil::transpose
