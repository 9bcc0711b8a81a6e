// saxpy: y = a x + y with both vectors in each memory space in turn, and how fast each turn was.
#include "memory_spaces/capabilities.hpp"
#include "memory_spaces/field.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <string>

namespace {

using Vector = memstencil::Field<float, 1>;
constexpr std::size_t length = std::size_t{1} << 24;
constexpr int turns = 10;

/// The processor of Kokkos' default execution space.
memstencil::Executor executor() {
  return memstencil::built_for_gpu() ? memstencil::Executor::Device : memstencil::Executor::Host;
}

/// Sets every element. The kernel is the first to touch the pages, and so decides where they lie.
void fill(const Vector& vector, float value) {
  const auto v = vector.device_view();
  Kokkos::parallel_for(
      "fill", length, KOKKOS_LAMBDA(const std::size_t i) { v(i) = value; });
}

/// One y = a x + y. Returns the seconds it took.
double saxpy(float a, const Vector& x_field, const Vector& y_field) {
  const auto x = x_field.device_view();
  const auto y = y_field.device_view();
  Kokkos::fence();
  const Kokkos::Timer timer;
  Kokkos::parallel_for(
      "saxpy", length, KOKKOS_LAMBDA(const std::size_t i) { y(i) += a * x(i); });
  Kokkos::fence();
  return timer.seconds();
}

/// How many elements are not `expected`.
std::size_t wrong(const Vector& vector, float expected) {
  const auto v = vector.device_view();
  std::size_t count = 0;
  Kokkos::parallel_reduce(
      "wrong", length,
      KOKKOS_LAMBDA(const std::size_t i, std::size_t& sum) { sum += v(i) == expected ? 0 : 1; },
      count);
  return count;
}

/// All turns in one space, and its line of the table. Returns whether y is right.
bool run_in(memstencil::MemorySpace space) {
  const std::string name(memstencil::name(space));
  const memstencil::Support support = memstencil::support(space, executor());
  if (!support.served) {
    std::printf("%-12s not served here: %s\n", name.c_str(), support.reason.c_str());
    return true;
  }
  const Vector x(space, {length});
  const Vector y(space, {length});
  fill(x, 1.0F);
  fill(y, 2.0F);
  double best = saxpy(3.0F, x, y);
  for (int turn = 1; turn < turns; ++turn) best = std::min(best, saxpy(3.0F, x, y));
  const std::size_t errors = wrong(y, 2.0F + turns * 3.0F);
  const double gigabytes = 3.0 * length * sizeof(float) * 1e-9;  // x read, y read and written
  std::printf("%-12s %-10s %8.1f GB/s  %s\n", name.c_str(), support.effective.c_str(),
              gigabytes / best, errors == 0 ? "verified" : "WRONG");
  return errors == 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    std::string why;
    if (memstencil::built_for_gpu() && memstencil::gpu_count(&why) == 0) {
      std::fprintf(stderr, "saxpy: no GPU: %s\n", why.c_str());
      return 3;
    }
    const Kokkos::ScopeGuard kokkos(argc, argv);
    bool right = true;
    for (memstencil::MemorySpace space : memstencil::all_memory_spaces)
      right = run_in(space) && right;
    return right ? 0 : 4;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "saxpy: %s\n", error.what());
    return 1;
  }
}
