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

/// Row-major: A(r,c) = a[r * a_pitch + c], rows x columns, both at least 1; B(c,r) = b[c * b_pitch + r].
/// Pitches in elements, a_pitch >= columns, b_pitch >= rows. a and b do not overlap except in place.
/// The arrays hold their last row's padding too: padding may be read, and is never written.
template <class T>
struct Job {
  const T* a = nullptr;
  T* b = nullptr;
  std::int64_t rows = 0, columns = 0;
  std::int64_t a_pitch = 0, b_pitch = 0;
  Operation operation = Operation::Plain;
};

/// What a job must read and write at least: A, B, and with Accumulate B once more.
template <class T>
constexpr std::int64_t bytes_moved(const Job<T>& job) {
  const std::int64_t streams = job.operation == Operation::Accumulate ? 3 : 2;
  return streams * job.rows * job.columns * static_cast<std::int64_t>(sizeof(T));
}

/// One way of doing it. "copy" is the yardstick: the same bytes read and written, nothing transposed
/// (B is then rows x columns with A's pitch; accumulated B += A; in place A is written onto itself).
template <class T>
struct Variant {
  std::string name;                        ///< "naive", "tiled", "padded", ...
  std::string refused;                     ///< empty, or why it cannot do this job here
  std::function<void(const Job<T>&)> run;  ///< starts the job in the executor's stream; Kokkos::fence() waits
};

/// Every variant there is, with the reasons of those that an execution space cannot do the job with.
/// For float and double, the default execution space and the default host execution space.
template <class T, class Exec>
std::vector<Variant<T>> variants(const Job<T>& job);

}  // namespace memstencil::transpose
