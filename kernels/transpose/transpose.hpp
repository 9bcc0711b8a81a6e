// Transposes of matrices in memory: the job, and the list of all that can do it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace memstencil::transpose {

/// What becomes of B.
enum class Operation {
  Plain,       ///< B = A^T
  Accumulate,  ///< B += A^T, as the Parallel Research Kernels do it
  InPlace,     ///< A = A^T, square; b == a
};

/// Row-major: A(r,c) = a[r * a_pitch + c], rows x columns; B(c,r) = b[c * b_pitch + r]. Pitches in
/// elements, a_pitch >= columns, b_pitch >= rows. a and b do not overlap except in place.
template <class T>
struct Job {
  const T* a = nullptr;
  T* b = nullptr;
  std::int64_t rows = 0, columns = 0;
  std::int64_t a_pitch = 0, b_pitch = 0;
  Operation operation = Operation::Plain;
};

/// One way of doing it. "copy" is the yardstick: the same bytes read and written, nothing transposed
/// (B is then rows x columns with A's pitch).
template <class T>
struct Variant {
  std::string name;                        ///< "naive", "tiled", "padded", ...
  std::string refused;                     ///< empty, or why it cannot do this job here
  std::function<void(const Job<T>&)> run;  ///< starts the job in the executor's stream; Kokkos::fence() waits
};

/// Every variant there is for an execution space, with the reasons of those that cannot do the job.
template <class T, class Exec>
std::vector<Variant<T>> variants(const Job<T>& job);

}  // namespace memstencil::transpose
