// Is the result right? One more iteration, every element of which is compared.
#include "app/transpose/verify.hpp"

#include "app/base/ranks/collectively.hpp"
#include "kernels/portable.hpp"
#include "memory_spaces/movement.hpp"

#include <fmt/format.h>
#include <Kokkos_Core.hpp>

namespace memstencil::transpose {

namespace {

using matrix::Content;

/// The rows that the copy in place reads: the upper half.
matrix::Block upper_half(matrix::Block block) {
  block.rows = (block.rows + 1) / 2;
  return block;
}

template <class T>
Expected<T> expected(Variant variant, Operation operation, const Distribution& part,
                     const Matrices<T>& matrices) {
  const bool copy = variant == Variant::Copy;
  const matrix::Block a = part.a();
  switch (operation) {
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

/// The values before the iteration.
template <class Exec, class T>
void prepare(const Exec& exec, const Expected<T>& result, Operation operation,
             const Distribution& part, const Matrices<T>& matrices) {
  const bool moves_in_place = result.data == matrices.a();
  if (operation == Operation::Accumulate)
    matrix::fill(exec, result.block, Content::B0, matrices.b());
  else if (!moves_in_place)
    fill(result.data, 0xFF, bytes_of<T>(result.block));
  // In place a variant before has moved A, or the copy has overwritten its half.
  if (operation == Operation::InPlace)
    matrix::fill(exec, moves_in_place ? part.a() : result.block, Content::A, matrices.a());
}

}  // namespace

template <class Exec, class T>
void compare(const Exec& exec, const Expected<T>& expected, const T* data,
             const std::string& what) {
  const matrix::Block& block = expected.block;
  const matrix::Wrong wrong = matrix::check(exec, block, expected.content, data);
  if (wrong.count == 0) return;
  T found{};
  copy(&found, data + wrong.row * block.pitch + wrong.column, sizeof(T));
  throw Failure(
      ExitCode::Verification,
      fmt::format(
          "verification failed: {}: element ({}, {}) is {}, not {}; {} of {} elements are wrong",
          what, block.first_row + wrong.row, block.first_column + wrong.column, found,
          matrix::value<T>(block, expected.content, wrong.row, wrong.column), wrong.count,
          block.rows * block.columns));
}

template <class Exec, class T>
Expected<T> verify(const Exec& exec, Variant variant, Operation operation, const Distribution& part,
                   const Matrices<T>& matrices, const Communicator& communicator,
                   const std::function<void()>& iterate) {
  const std::string what = fmt::format("{} of {}", name(variant), size_name(part.shape));
  const Expected<T> result = expected(variant, operation, part, matrices);
  collectively(communicator, [&] { prepare<Exec, T>(exec, result, operation, part, matrices); });
  iterate();
  collectively(communicator, [&] {
    compare<Exec, T>(exec, result, result.data, what);
    if (operation != Operation::InPlace)
      compare<Exec, T>(exec, {part.a(), Content::A, matrices.a()}, matrices.a(), what + ", in A");
  });
  return result;
}

#define MEMSTENCIL_INSTANTIATE_FOR(Exec, T)                                             \
  template void compare(const Exec&, const Expected<T>&, const T*, const std::string&); \
  template Expected<T> verify(const Exec&, Variant, Operation, const Distribution&,     \
                              const Matrices<T>&, const Communicator&,                  \
                              const std::function<void()>&);
#define MEMSTENCIL_INSTANTIATE(Exec)      \
  MEMSTENCIL_INSTANTIATE_FOR(Exec, float) \
  MEMSTENCIL_INSTANTIATE_FOR(Exec, double)
MEMSTENCIL_FOR_EXECUTION_SPACES(MEMSTENCIL_INSTANTIATE)
#undef MEMSTENCIL_INSTANTIATE
#undef MEMSTENCIL_INSTANTIATE_FOR

}  // namespace memstencil::transpose
