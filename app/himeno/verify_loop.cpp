// Verification of the time loop: sweeps and messages as the run makes them, against the host.
#include "app/himeno/verify_loop.hpp"

#include "app/base/ranks/collectively.hpp"
#include "app/base/runtime/execution.hpp"
#include "app/himeno/cone.hpp"
#include "app/himeno/verify_messages.hpp"
#include "kernels/grid/boxes.hpp"
#include "kernels/jacobi/initialise.hpp"
#include "memory_spaces/buffer.hpp"
#include "memory_spaces/capabilities.hpp"
#include "memory_spaces/movement.hpp"

#include <fmt/format.h>

#include <bit>
#include <cstddef>
#include <vector>

namespace memstencil::himeno {

namespace {

constexpr std::uint64_t seed_of_p = 1;

/// What no sweep and no message writes is not found right by chance: it is NaN.
template <class Exec>
void start_over(const Exec& exec, const Subdomain& part, const jacobi::Arrays& arrays) {
  for (float* const p : {arrays.p, arrays.p_next}) {
    jacobi::initialise(exec, part.grid, part.filling(seed_of_p), jacobi::P, p);
    for (const Box& box : halo_boxes(part)) memstencil::spoil(exec, part.grid, box, p);
  }
  memstencil::spoil(exec, part.grid, part.grid.owned, arrays.p_next);
}

/// The points of the boxes, one box after the other, on the host.
template <class Exec>
std::vector<float> fetched(const Exec& exec, const Grid& grid, std::span<const Box> boxes,
                           const float* p) {
  std::size_t points = 0;
  for (const Box& box : boxes) points += static_cast<std::size_t>(box.points());
  std::vector<float> out(points);
  const Buffer packed(scratch_space(executor_of<Exec>), points * sizeof(float));
  auto* to = static_cast<float*>(packed.data());
  for (const Box& box : boxes) {
    memstencil::pack(exec, grid, box, p, to);
    to += box.points();
  }
  exec.fence("himeno: points of the time loop");
  copy(out.data(), packed.data(), packed.bytes());
  return out;
}

void compare(const Subdomain& part, const Dependence& its, int sweeps, const Box& box,
             const float* got) {
  Box target = box;
  for (std::size_t d = 0; d < 3; ++d)
    target.lo[d] += part.origin[d], target.hi[d] += part.origin[d];
  const std::vector<float> want = evaluate(its, target, sweeps);
  const std::int64_t nj = box.hi[1] - box.lo[1], nk = box.hi[2] - box.lo[2];
  for (std::size_t n = 0; n < want.size(); ++n) {
    if (std::bit_cast<std::uint32_t>(got[n]) == std::bit_cast<std::uint32_t>(want[n])) continue;
    const auto at = static_cast<std::int64_t>(n);
    throw Failure(ExitCode::Verification,
                  fmt::format("verification failed: p({}, {}, {}) of rank {} is {:.9g} after {} "
                              "sweeps of random values, evaluated on the host {:.9g}",
                              target.lo[0] + at / (nj * nk), target.lo[1] + at / nk % nj,
                              target.lo[2] + at % nk, part.rank(), got[n], sweeps, want[n]));
  }
}

}  // namespace

template <class Exec>
void verify_loop(const Exec& exec, const Subdomain& part, const LoopCase& its,
                 std::span<const Box> patches, const Halo<Exec>& halo, const jacobi::Arrays& arrays,
                 const std::function<void()>& loop, const Communicator& communicator) {
  collectively(communicator, [&] { start_over(exec, part, arrays); });
  halo.exchange_and_wait(arrays.p);
  loop();
  collectively(communicator, [&] {
    const Dependence dependence{part.global, its.seed, seed_of_p, its.fma};
    const std::vector<float> all = fetched(exec, part.grid, patches, arrays.p);
    const float* got = all.data();
    for (const Box& box : patches) {
      compare(part, dependence, its.sweeps, box, got);
      got += box.points();
    }
  });
}

#define MEMSTENCIL_INSTANTIATE(Exec)                                                              \
  template void verify_loop(const Exec&, const Subdomain&, const LoopCase&, std::span<const Box>, \
                            const Halo<Exec>&, const jacobi::Arrays&,                             \
                            const std::function<void()>&, const Communicator&);
MEMSTENCIL_FOR_EXECUTION_SPACES(MEMSTENCIL_INSTANTIATE)
#undef MEMSTENCIL_INSTANTIATE

}  // namespace memstencil::himeno
