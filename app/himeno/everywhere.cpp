// All points of a rank after some sweeps, by a plain kernel of the second expression of the update.
#include "app/himeno/everywhere.hpp"

#include "app/base/runtime/execution.hpp"
#include "app/grid/verify.hpp"
#include "app/himeno/cone.hpp"
#include "memory_spaces/buffer.hpp"
#include "memory_spaces/movement.hpp"

#include <fmt/format.h>
#include <Kokkos_Core.hpp>

namespace memstencil::himeno {

namespace {

/// Calls body(i, j, k) for a point of a box by its number there, k fastest.
template <class Body>
struct AtNumber {
  Box box;
  Body body;
  KOKKOS_FUNCTION void operator()(std::int64_t n, double& sum) const {
    const std::int64_t nk = box.hi[2] - box.lo[2], nj = box.hi[1] - box.lo[1], row = n / nk;
    sum += body(box.lo[0] + row / nj, box.lo[1] + row % nj, box.lo[2] + n - row * nk);
  }
};

/// The points of `target` (global indices).
template <class Exec>
class Pieces {
public:
  Pieces(const Exec& exec, const Subdomain& subdomain, const Dependence& its, int sweeps,
         const float* p, double bytes)
      : exec_(exec),
        subdomain_(subdomain),
        its_(its),
        p_(p),
        bytes_(bytes),
        gosa(static_cast<std::size_t>(sweeps)) {}

  void compare(const Box& target) {
    const Piece piece(depended_on(its_, target, gosa.size()), row_pitch);
    const double bytes = arrays_of_piece * sizeof(float) * piece.grid.elements_wanted();
    if (bytes <= bytes_) return compare(target, piece);
    const int d = target.hi[0] - target.lo[0] >= target.hi[1] - target.lo[1] ? 0 : 1;
    const std::int64_t middle = (target.lo[d] + target.hi[d]) / 2;
    if (middle == target.lo[d])
      throw Failure(ExitCode::Verification,
                    fmt::format("verification failed: the check of {} sweeps needs {:.1f} GB of "
                                "memory beside the run's, there are {:.1f}: fewer sweeps a pass "
                                "need less",
                                gosa.size(), bytes * 1e-9, bytes_ * 1e-9));
    Box low = target, high = target;
    low.hi[d] = high.lo[d] = middle;
    compare(low);
    compare(high);
  }

private:
  void compare(const Box& target, const Piece& piece) {
    const auto loop = [this]<class Body>(const Box& box, const Body& body) {
      double sum = 0;
      using Range = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>;
      Kokkos::parallel_reduce("himeno: check of all points", Range(exec_, 0, box.points()),
                              AtNumber<Body>{box, body}, sum);
      return sum;
    };
    const std::size_t floats = arrays_of_piece * piece.grid.elements();
    const Buffer memory(scratch_space(executor_of<Exec>), floats * sizeof(float), "verification");
    auto* const arrays = static_cast<float*>(memory.data());
    const float* const p = evaluate_piece(loop, its_, piece, target, arrays, gosa);
    Box local = target;
    for (std::size_t d = 0; d < 3; ++d)
      local.lo[d] -= subdomain_.origin[d], local.hi[d] -= subdomain_.origin[d];
    const Box here = piece.local(target);
    if (hash(exec_, subdomain_.grid, local, p_) == hash(exec_, piece.grid, here, p)) return;
    // The first arrays, of coefficients, are not needed any more.
    float* const packed = arrays;
    float* const run = arrays + piece.grid.elements();
    pack(exec_, subdomain_.grid, local, p_, packed);
    unpack(exec_, piece.grid, here, packed, run);
    const std::int64_t wrong = first_difference(exec_, piece.grid, here, run, p).value_or(0);
    const std::int64_t nk = here.hi[2] - here.lo[2], nj = here.hi[1] - here.lo[1], row = wrong / nk;
    const std::size_t place = piece.grid.row(here.lo[0] + row / nj, here.lo[1] + row % nj) +
                              static_cast<std::size_t>(here.lo[2] + wrong % nk);
    float got = 0, want = 0;
    copy(&got, run + place, sizeof got);
    copy(&want, p + place, sizeof want);
    throw Failure(ExitCode::Verification,
                  fmt::format("verification failed: {} is {:.9g} after {} sweeps of random values, "
                              "evaluated by another kernel {:.9g}",
                              point_text(subdomain_, local, wrong), got, gosa.size(), want));
  }

  const Exec& exec_;
  const Subdomain& subdomain_;
  const Dependence& its_;
  const float* p_;
  double bytes_;

public:
  std::vector<double> gosa;
};

}  // namespace

template <class Exec>
std::vector<double> compare_everywhere(const Exec& exec, const Subdomain& subdomain,
                                       const Dependence& its, int sweeps, const float* p,
                                       double bytes) {
  Pieces<Exec> pieces(exec, subdomain, its, sweeps, p, bytes);
  pieces.compare(subdomain.global_box(subdomain.grid.owned));
  return pieces.gosa;
}

#define MEMSTENCIL_INSTANTIATE(Exec)                                             \
  template std::vector<double> compare_everywhere(const Exec&, const Subdomain&, \
                                                  const Dependence&, int, const float*, double);
MEMSTENCIL_FOR_EXECUTION_SPACES(MEMSTENCIL_INSTANTIATE)
#undef MEMSTENCIL_INSTANTIATE

}  // namespace memstencil::himeno
