// The matrices of one rank: allocated in a memory space, touched first by an executor, brought
// to where they are transposed.
#include "app/transpose/matrices.hpp"

#include "app/base/runtime/execution.hpp"
#include "memory_spaces/movement.hpp"

#include <algorithm>

namespace memstencil::transpose {

namespace {

/// Room for one row more than the block has: kernels may read what pads the end of a job that
/// starts inside a row. Where rows are short and not padded (--pitch), that is at most the rest of
/// a line.
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
Matrices<T>::Matrices(const Placement& placement, const Distribution& part)
    : placement_(placement),
      part_(part),
      a_(placement.space, room<T>(part.a()), placement.pages),
      b_(placement.space, room_for_result<T>(part), placement.pages),
      staging_(placement, room_for_result<T>(part)) {
  advise(a_, placement_.advice, placement_.executor);
  advise(b_, placement_.advice, placement_.executor);
}

template <class T>
void Matrices<T>::initialise(const Buffer& buffer, const matrix::Block& block, Phases& phases) {
  phases.time("upload", [&] { staging_.prepare(buffer); });
  phases.time("initialise", [&] {
    with_execution_space(placement_.first_touch, [&](const auto& exec) {
      matrix::fill(exec, block, matrix::Content::A,
                   static_cast<T*>(staging_.touched(buffer.data())));
    });
  });
  phases.time("upload", [&] { staging_.upload(buffer, buffer.data(), bytes_of<T>(block)); });
}

template <class T>
void Matrices<T>::initialise(Phases& phases) {
  initialise(a_, part_.a(), phases);
  initialise(b_, part_.b(), phases);
}

template <class T>
const T* Matrices<T>::download(std::size_t bytes, Phases& phases) {
  return staging_.download(b_, b(), bytes / sizeof(T), phases);
}

template class Matrices<float>;
template class Matrices<double>;

}  // namespace memstencil::transpose
