// The memory limit of a run: the bandwidth that its executor gets from its memory, measured on the
// run's own arrays.
#include "app/himeno/limit.hpp"

#include "app/himeno/fields.hpp"

#include <algorithm>

namespace memstencil::himeno {

namespace {

Ceiling read_ceiling(const Fields& fields, const jacobi::Grid& grid, const Kernels& k) {
  const auto count = static_cast<std::int64_t>(grid.floats());
  return {"read stream",
          static_cast<double>(count) * sizeof(float) * static_cast<double>(jacobi::array_names.size()),
          [&fields, &k, count] {
            volatile double sum = k.read_stream(fields.arrays(), count);
            (void)sum;
          }};
}

/// Five pairs of coefficient arrays, so that no cache holds what the next copy reads.
Ceiling copy_ceiling(const Fields& fields, const jacobi::Grid& grid, const Kernels& k) {
  const auto count = static_cast<std::int64_t>(grid.floats());
  constexpr std::size_t pairs = 5;
  return {"copy", 2.0 * pairs * static_cast<double>(count) * sizeof(float), [&fields, &k, count] {
            for (std::size_t n = 0; n < pairs; ++n)
              k.copy_stream(fields.scratch(2 * n), fields.scratch(2 * n + 1), count);
          }};
}

}  // namespace

Limit measure_limit(const Fields& fields, const jacobi::Grid& grid, Executor executor,
                    const Communicator& communicator) {
  const Kernels& k = kernels(executor);
  if (executor == Executor::Host) return measure(read_ceiling(fields, grid, k), k.fence, communicator);
  const float* const far = fields.behind_link();
  if (far == nullptr) return measure(copy_ceiling(fields, grid, k), k.fence, communicator);
  const Buffer target(MemorySpace::Device, std::min(grid.floats() * sizeof(float), link_bytes));
  return measure(link_ceiling(target, far), k.fence, communicator);
}

}  // namespace memstencil::himeno
