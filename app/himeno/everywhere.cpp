// All points of a rank after some sweeps, by a plain kernel of the second expression of the update.
#include "app/himeno/everywhere.hpp"

#include "app/base/runtime/execution.hpp"
#include "app/grid/verify.hpp"
#include "app/himeno/second_expression.hpp"
#include "kernels/on_host.hpp"
#include "memory_spaces/buffer.hpp"
#include "memory_spaces/capabilities.hpp"
#include "memory_spaces/movement.hpp"

#include <fmt/format.h>
#include <Kokkos_Core.hpp>

#include <algorithm>
#include <utility>

namespace memstencil::himeno {

namespace {

using second::Id;

/// The coefficients and p twice.
constexpr int arrays_of_piece = second::ids + 1;

/// Points of a box of the whole grid, as arrays of `grid`.
struct Piece {
  Box box;
  Grid grid;

  explicit Piece(const Box& whole) : box(whole), grid{} {
    for (std::size_t d = 0; d < 3; ++d) grid.extents[d] = box.hi[d] - box.lo[d];
    grid.pitch = row_pitch(grid.extents[2]);
  }
  double bytes() const { return arrays_of_piece * sizeof(float) * grid.elements_wanted(); }
  Box local(Box points) const {
    for (std::size_t d = 0; d < 3; ++d) points.lo[d] -= box.lo[d], points.hi[d] -= box.lo[d];
    return points;
  }
};

/// A point of a box by its number there, k fastest.
struct Point {
  std::int64_t i, j, k;
  KOKKOS_FUNCTION Point(const Box& box, std::int64_t n) {
    const std::int64_t nk = box.hi[2] - box.lo[2], nj = box.hi[1] - box.lo[1], row = n / nk;
    k = box.lo[2] + n - row * nk;
    i = box.lo[0] + row / nj;
    j = box.lo[1] + row % nj;
  }
};

struct FirstValues {
  Grid grid;
  Box box, all;
  std::int64_t global[3];
  Id id;
  bool random;
  std::uint64_t seed;
  float* to;
  KOKKOS_FUNCTION void operator()(std::int64_t n) const {
    const Point at(all, n);
    const std::int64_t i = at.i + box.lo[0];
    const float around = second::standard(id, i, global[0]);
    const auto point = static_cast<std::uint64_t>((i * global[1] + at.j + box.lo[1]) * global[2] +
                                                  at.k + box.lo[2]);
    to[grid.row(at.i, at.j) + static_cast<std::size_t>(at.k)] =
        random ? second::random(id, seed, point, around) : around;
  }
};

template <bool fma>
struct PlainSweep {
  Grid grid;
  Box points, counted;
  const float* coefficients;
  std::size_t step;  ///< from one array to the next
  const float* p;
  float* next;
  KOKKOS_FUNCTION void operator()(std::int64_t n, double& gosa) const {
    const Point at(points, n);
    const std::size_t place = grid.row(at.i, at.j) + static_cast<std::size_t>(at.k);
    const auto of_point = [&](Id id) {
      return coefficients[static_cast<std::size_t>(id) * step + place];
    };
    const float residual = second::residual<fma>(
        p + place, of_point, static_cast<std::ptrdiff_t>(grid.row(1, 0)), grid.pitch, 1);
    next[place] = second::updated<fma>(p[place], residual);
    const std::int64_t index[] = {at.i, at.j, at.k};
    bool counts = true;
    for (int d = 0; d < 3; ++d)
      counts = counts && counted.lo[d] <= index[d] && index[d] < counted.hi[d];
    if (counts) gosa += static_cast<double>(second::product(residual, residual));
  }
};

/// The points of `target` (global indices).
template <class Exec>
class Pieces {
public:
  using Range = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>;

  Pieces(const Exec& exec, const Subdomain& subdomain, const Dependence& its, int sweeps,
         const float* p, double bytes)
      : exec_(exec),
        subdomain_(subdomain),
        its_(its),
        p_(p),
        bytes_(bytes),
        gosa(static_cast<std::size_t>(sweeps)) {}

  void compare(const Box& target) {
    const Piece piece(
        grown(target, static_cast<std::int64_t>(gosa.size()), whole_grid(its_.global)));
    if (piece.bytes() <= bytes_) return compare(target, piece);
    const int d = target.hi[0] - target.lo[0] >= target.hi[1] - target.lo[1] ? 0 : 1;
    const std::int64_t middle = (target.lo[d] + target.hi[d]) / 2;
    if (middle == target.lo[d])
      throw Failure(ExitCode::Verification,
                    fmt::format("verification failed: the check of {} sweeps needs {:.1f} GB of "
                                "memory beside the run's, there are {:.1f}: fewer sweeps a pass "
                                "need less",
                                gosa.size(), piece.bytes() * 1e-9, bytes_ * 1e-9));
    Box low = target, high = target;
    low.hi[d] = high.lo[d] = middle;
    compare(low);
    compare(high);
  }

private:
  void compare(const Box& target, const Piece& piece) {
    const std::size_t step = piece.grid.elements();
    const Buffer memory(scratch_space(executor_of<Exec>), arrays_of_piece * step * sizeof(float),
                        "verification");
    auto* const arrays = static_cast<float*>(memory.data());
    for (int id = 0; id < second::ids; ++id)
      fill(piece, static_cast<Id>(id), arrays + static_cast<std::size_t>(id) * step);
    float *now = arrays + second::pressure * step, *next = arrays + second::ids * step;
    fill(piece, second::pressure, next);
    for (std::size_t n = 0; n < gosa.size(); ++n) {
      const auto left = static_cast<std::int64_t>(gosa.size() - n - 1);
      const Box points = piece.local(grown(target, left, inside(its_.global)));
      // A GPU has FMA, and other roundings are the host's alone.
      if constexpr (on_host<Exec>)
        gosa[n] += its_.fma ? sweep<true>(piece, points, target, arrays, now, next)
                            : sweep<false>(piece, points, target, arrays, now, next);
      else
        gosa[n] += sweep<true>(piece, points, target, arrays, now, next);
      std::swap(now, next);
    }
    Box local = target;
    for (std::size_t d = 0; d < 3; ++d)
      local.lo[d] -= subdomain_.origin[d], local.hi[d] -= subdomain_.origin[d];
    const Box here = piece.local(target);
    if (hash(exec_, subdomain_.grid, local, p_) == hash(exec_, piece.grid, here, now)) return;
    // The coefficients are not needed any more.
    pack(exec_, subdomain_.grid, local, p_, arrays);
    unpack(exec_, piece.grid, here, arrays, next);
    const auto wrong = first_difference(exec_, piece.grid, here, next, now);
    const Point at(here, wrong.value_or(0));
    const std::size_t place = piece.grid.row(at.i, at.j) + static_cast<std::size_t>(at.k);
    float got = 0, want = 0;
    copy(&got, next + place, sizeof got);
    copy(&want, now + place, sizeof want);
    throw Failure(
        ExitCode::Verification,
        fmt::format("verification failed: {} is {:.9g} after {} sweeps of random values, "
                    "evaluated by another kernel {:.9g}",
                    point_text(subdomain_, local, wrong.value_or(0)), got, gosa.size(), want));
  }

  void fill(const Piece& piece, Id id, float* to) const {
    const auto& seed = id == second::pressure ? its_.seed_of_p : its_.seed;
    FirstValues values{piece.grid, piece.box,        piece.grid.all(), {},
                       id,         seed.has_value(), seed.value_or(0), to};
    std::copy(its_.global.begin(), its_.global.end(), values.global);
    Kokkos::parallel_for("himeno: values of the check", Range(exec_, 0, values.all.points()),
                         values);
  }

  template <bool fma>
  double sweep(const Piece& piece, const Box& points, const Box& target, const float* arrays,
               const float* now, float* next) const {
    double sum = 0;
    Kokkos::parallel_reduce("himeno: sweep of the check", Range(exec_, 0, points.points()),
                            PlainSweep<fma>{piece.grid, points, piece.local(target), arrays,
                                            piece.grid.elements(), now, next},
                            sum);
    return sum;
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
