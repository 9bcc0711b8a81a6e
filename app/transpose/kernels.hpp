// The kernels of one executor: the one place where --exec is turned into an execution space.
#pragma once

#include "kernels/lap_clock.hpp"
#include "kernels/matrix/matrix.hpp"
#include "kernels/transpose/transpose.hpp"
#include "memory_spaces/memory_space.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace memstencil::transpose {

/// See the functions of the same names in kernels/. All pointers must be good for the executor.
template <class T>
struct Kernels {
  std::vector<Variant<T>> (*variants)(const Job<T>&);
  void (*fill)(const matrix::Block&, matrix::Content, T*);
  matrix::Wrong (*check)(const matrix::Block&, matrix::Content, const T*);
  void (*pack)(const T*, std::int64_t pitch, std::int64_t rows, std::int64_t columns, T*);
  std::unique_ptr<LapClock> (*lap_clock)();
  void (*fence)();
};

/// For float and double.
template <class T>
const Kernels<T>& kernels(Executor executor);

}  // namespace memstencil::transpose
