// The matrices of one rank: allocated in a memory space, touched first by an executor, brought
// to where they are transposed.
#include "app/transpose/matrices.hpp"

#include "app/base/runtime/execution.hpp"
#include "memory_spaces/movement.hpp"

#include <algorithm>

namespace memstencil::transpose {

namespace {

/// Room for one row more than the block has: the copy in place needs an even number of rows, and
/// kernels may read what pads the end of a job that starts inside a row. Where rows are short and
/// not padded (--pitch), that is at most the rest of a line.
template <class T>
std::size_t room(const matrix::Block& block) {
  constexpr std::size_t line = 128;
  return bytes_of<T>(block) + std::max(static_cast<std::size_t>(block.pitch) * sizeof(T), line);
}

/// The copy needs A's layout in B.
template <class T>
std::size_t room_for_result(const Distribution& part) {
  return std::max(room<T>(part.a()), room<T>(part.b()));
}

}  // namespace

template <class T>
Matrices<T>::Matrices(const Placement& placement, const Distribution& largest, bool in_place)
    : placement_(placement),
      a_(placement_.space, room<T>(largest.a()), placement_.pages),
      staging_(placement_, room_for_result<T>(largest)) {
  advise(a_, placement_.advice, placement_.executor);
  if (in_place) return;
  b_.emplace(placement_.space, room_for_result<T>(largest), placement_.pages);
  advise(*b_, placement_.advice, placement_.executor);
}

template <class T>
void Matrices<T>::initialise(const Buffer& buffer, const matrix::Block& block,
                             matrix::Content content, std::int64_t beyond, Phases& phases) {
  phases.time("upload", [&] { staging_.prepare(buffer); });
  phases.time("initialise", [&] {
    with_execution_space(placement_.first_touch, [&](const auto& exec) {
      T* const first = static_cast<T*>(staging_.touched(buffer.data()));
      matrix::fill(exec, block, content, first);
      if (beyond > 0)
        matrix::fill(exec, {1, beyond, beyond, 0, 0, 1, beyond}, content,
                     first + block.rows * block.pitch);
    });
  });
  phases.time("upload", [&] {
    staging_.upload(buffer, buffer.data(),
                    bytes_of<T>(block) + static_cast<std::size_t>(beyond) * sizeof(T));
  });
}

template <class T>
void Matrices<T>::initialise(const Distribution& part, Operation operation, Phases& phases) {
  const matrix::Block a = part.a(), b = part.b();
  initialise(a_, a, matrix::Content::A, 0, phases);
  const std::int64_t more = a.rows * a.pitch - b.rows * b.pitch;
  const std::int64_t beyond = operation == Operation::Accumulate ? more : 0;
  if (b_) initialise(*b_, b, matrix::Content::B0, std::max<std::int64_t>(beyond, 0), phases);
}

template <class T>
const T* Matrices<T>::download(const T* data, std::size_t bytes, Phases& phases) {
  return staging_.download(b_ ? *b_ : a_, data, bytes / sizeof(T), phases);
}

template class Matrices<float>;
template class Matrices<double>;

}  // namespace memstencil::transpose
