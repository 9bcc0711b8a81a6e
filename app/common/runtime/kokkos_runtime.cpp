// Kokkos for the length of a program, and the proof that its tool chain computes.
#include "app/common/runtime/kokkos_runtime.hpp"

#include "app/common/runtime/failure.hpp"
#include "memory_spaces/capabilities.hpp"
#include "memory_spaces/field.hpp"
#include "memory_spaces/movement.hpp"

#include <Kokkos_Core.hpp>

namespace memstencil {

namespace {

constexpr int rows = 7;
constexpr int columns = 131;

/// The value that stands at (i, j): no two alike, and exact in a double sum.
KOKKOS_INLINE_FUNCTION double value_at(int i, int j) { return 1000.0 * i + j + 1.0; }

template <class Exec>
void prove(MemorySpace space) {
  const Field<double, 2> field(space, {rows, columns});
  const Kokkos::View<double**, Kokkos::LayoutRight, typename Exec::memory_space,
                     Kokkos::MemoryTraits<Kokkos::Unmanaged>>
      view(field.data(), rows, columns);
  using Range = Kokkos::MDRangePolicy<Exec, Kokkos::Rank<2>>;
  Kokkos::parallel_for(
      "proof: write", Range({0, 0}, {rows, columns}),
      KOKKOS_LAMBDA(int i, int j) { view(i, j) = value_at(i, j); });
  double reduced = 0.0;
  Kokkos::parallel_reduce(
      "proof: reduce", Range({0, 0}, {rows, columns}),
      KOKKOS_LAMBDA(int i, int j, double& sum) { sum += view(i, j); }, reduced);
  Kokkos::fence("proof");
  std::vector<double> read(rows * columns);
  copy(read.data(), field.data(), read.size() * sizeof(double));
  double want = 0.0;
  bool right = true;
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) {
      want += value_at(i, j);
      right = right && read[static_cast<std::size_t>(i * columns + j)] == value_at(i, j);
    }
  if (!right || reduced != want)
    throw Failure(ExitCode::Verification,
                  "this build computes wrongly: a kernel's View in " + std::string(name(space)) +
                      " memory does not read back what was written; nothing is measured "
                      "(compiler, Kokkos and driver do not fit together)");
}

}  // namespace

KokkosRuntime::KokkosRuntime(int gpu) {
  std::string why;
  if (built_for_gpu() && gpu_count(&why) == 0)
    throw Failure(ExitCode::Machine,
                  why + "; run it on a GPU node, or build for the host with --preset openmp");
  Kokkos::InitializationSettings settings;
  if (gpu >= 0) settings.set_device_id(gpu);
  settings.set_disable_warnings(true);
  Kokkos::initialize(settings);
}

KokkosRuntime::~KokkosRuntime() { Kokkos::finalize(); }

std::string KokkosRuntime::version() {
  return std::to_string(KOKKOS_VERSION / 10000) + "." + std::to_string(KOKKOS_VERSION / 100 % 100) +
         "." + std::to_string(KOKKOS_VERSION % 100);
}

std::string KokkosRuntime::execution_space(Executor executor) {
  return executor == Executor::Host ? Kokkos::DefaultHostExecutionSpace::name()
                                    : Kokkos::DefaultExecutionSpace::name();
}

int KokkosRuntime::host_threads() { return Kokkos::DefaultHostExecutionSpace().concurrency(); }

void prove_tool_chain(Executor executor, const std::vector<MemorySpace>& spaces) {
  for (const MemorySpace space : spaces) {
    if (executor == Executor::Host)
      prove<Kokkos::DefaultHostExecutionSpace>(space);
    else
      prove<Kokkos::DefaultExecutionSpace>(space);
  }
}

}  // namespace memstencil
