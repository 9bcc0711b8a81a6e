// Is the result right? One more iteration, every element of which is compared.
#include "app/transpose/verify.hpp"

#include "app/base/ranks/collectively.hpp"
#include "kernels/portable.hpp"
#include "memory_spaces/movement.hpp"

#include <fmt/format.h>
#include <Kokkos_Core.hpp>

namespace memstencil::transpose {

using matrix::Content;

template <class Exec, class T>
void compare(const Exec& exec, const Expected& expected, const T* data, const std::string& what) {
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
Expected verify(const Exec& exec, Variant variant, const Distribution& part,
                const Matrices<T>& matrices, const Communicator& communicator,
                const std::function<void()>& iterate) {
  const std::string what = fmt::format("{} of {}", name(variant), size_name(part.shape));
  const bool copies = variant == Variant::Copy;
  const Expected result{copies ? part.a() : part.b(), copies ? Content::A : Content::Transposed};
  collectively(communicator, [&] { fill(matrices.b(), 0xFF, bytes_of<T>(result.block)); });
  iterate();
  collectively(communicator, [&] {
    compare(exec, result, static_cast<const T*>(matrices.b()), what);
    compare(exec, {part.a(), Content::A}, static_cast<const T*>(matrices.a()), what + ", in A");
  });
  return result;
}

#define MEMSTENCIL_INSTANTIATE_FOR(Exec, T)                                               \
  template void compare(const Exec&, const Expected&, const T*, const std::string&);      \
  template Expected verify(const Exec&, Variant, const Distribution&, const Matrices<T>&, \
                           const Communicator&, const std::function<void()>&);
#define MEMSTENCIL_INSTANTIATE(Exec)      \
  MEMSTENCIL_INSTANTIATE_FOR(Exec, float) \
  MEMSTENCIL_INSTANTIATE_FOR(Exec, double)
MEMSTENCIL_FOR_EXECUTION_SPACES(MEMSTENCIL_INSTANTIATE)
#undef MEMSTENCIL_INSTANTIATE
#undef MEMSTENCIL_INSTANTIATE_FOR

}  // namespace memstencil::transpose
