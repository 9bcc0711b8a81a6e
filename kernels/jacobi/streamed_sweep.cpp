// Streamed sweeps of arrays that lie behind a link: planes pass once through a ring in the device's
// memory, and all sweeps of a pass are made there (stream_schedule.hpp).
#include "kernels/jacobi/temporal_cuda.hpp"

#if defined(KOKKOS_ENABLE_CUDA)

#include "kernels/jacobi/single_sweep.hpp"
#include "kernels/jacobi/tile_sums.hpp"
#include "kernels/queue.hpp"

#include <array>
#include <string>
#include <utility>
#include <vector>

namespace memstencil::jacobi {

namespace {

using Exec = Kokkos::Cuda;
using Near = Kokkos::View<float*, Exec::memory_space>;
/// Memory of the host.
template <class Values>
using Far = Kokkos::View<Values, Kokkos::LayoutRight, Kokkos::SharedHostPinnedSpace,
                         Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

Near allocated(const std::string& label, std::size_t floats) {
  return Near(Kokkos::view_alloc(Kokkos::WithoutInitializing, label), floats);
}

/// The sums of the columns. (A free function: nvcc takes no device lambda in a private one.)
void add_rows(const Exec& exec, const double* sums, int rows, int columns, double* out) {
  Kokkos::parallel_for(
      "jacobi: gosa", Kokkos::RangePolicy<Exec>(exec, 0, columns), KOKKOS_LAMBDA(int s) {
        double sum = 0.0;
        for (int n = 0; n < rows; ++n) sum += sums[n * columns + s];
        out[s] = sum;
      });
}

bool alone(const Grid& grid) {
  for (int d = 0; d < 3; ++d)
    if (grid.owned.lo[d] > grid.interior.lo[d] || grid.owned.hi[d] < grid.interior.hi[d])
      return false;
  return true;
}

/// The shape of temporal_tiles that makes `sweeps` sweeps.
std::size_t tile_of(int sweeps) {
  std::size_t n = 0;
  while (temporal_tiles[n].sweeps != sweeps) ++n;
  return n;
}

/// The grid of a group of fused sweeps: the planes of a step, and at both sides those that the
/// sweeps need.
Grid window_of(const Grid& grid, int fused, std::int64_t step) {
  Grid window = grid;
  window.extents[0] = step + 2 * fused;
  window.interior.lo[0] = window.owned.lo[0] = fused;
  window.interior.hi[0] = window.owned.hi[0] = fused + step;
  return window;
}

class StreamedSweep final : public jacobi::Sweep<Exec> {
public:
  StreamedSweep(const Exec& exec, const Grid& grid, int sweeps, const StreamShape& shape)
      : grid_(grid),
        sweeps_(sweeps),
        fuses_(shape.fused),
        alone_(alone(grid)),
        schedule_(grid, sweeps, shape.fused, shape.step),
        tiles_(tiling({0, schedule_.step_planes()}, sweeps).tiles()),
        rows_(1 + schedule_.most_steps(sweeps)),
        plane_floats_(grid.row(1, 0)),
        array_floats_(static_cast<std::size_t>(schedule_.ring_planes()) * plane_floats_),
        coefficients_(allocated("jacobi: ring", coefficient_count * array_floats_)),
        p_{allocated("jacobi: ring of p", array_floats_),
           allocated("jacobi: ring of p", array_floats_)} {
    for (std::size_t size = 2; size < std::size(fused_) && size <= fused_most(); ++size)
      fused_[size] =
          make_temporal_cuda(exec, window_of(grid, static_cast<int>(size), schedule_.step_planes()),
                             tile_of(static_cast<int>(size)));
    const std::size_t most_single = fuses_ > 1 ? 1 : static_cast<std::size_t>(sweeps);
    of_tiles_ =
        TileSums<Exec>("jacobi: sums of the tiles", most_single * static_cast<std::size_t>(tiles_));
    of_steps_ = TileSums<Exec>("jacobi: gosa of the steps",
                               static_cast<std::size_t>(rows_) * static_cast<std::size_t>(sweeps));
  }

  int sweeps() const override { return sweeps_; }
  int next(std::int64_t left) override {
    last_ = left <= sweeps_;
    return next_ = static_cast<int>(std::min<std::int64_t>(sweeps_, left));
  }
  std::string describe() const override {
    return "streamed, ring of " + std::to_string(schedule_.ring_planes()) + " planes, steps of " +
           std::to_string(schedule_.step_planes()) +
           (fuses_ > 1 ? ", " + std::to_string(fuses_) + " sweeps a kernel" : "");
  }

  bool update(const Exec& queue, const Pass& pass, int, const RanksAround<Exec>&) override {
    if (starts_) link_.wait_for(reached(queue));  // others may have written the arrays
    const std::vector<int> groups = stream_groups(next_, fuses_);
    Kokkos::deep_copy(queue, of_tiles_, 0.0);
    Kokkos::deep_copy(queue, of_steps_, 0.0);
    int row = 0;
    for (const StreamStep& step : schedule_.pass(groups)) {
      if (step.after > 0) link_.wait_for(left_at(std::max(step.after, step.number - kept + 1)));
      bring(pass, step.arrives);
      Queue<Exec>(queue).wait_for(reached(link_.exec()));
      sweep(queue, groups, step, ++row);
      back_.wait_for(reached(queue));
      take_back(p_[groups.size() % 2], pass.p_next, step.leaves);
      left_at(step.number).record(back_.exec());
    }
    if (groups.front() == 1)  // such groups come first
      add_sums(queue, AddedSums<Exec>{of_tiles_.data(), tiles_, of_steps_.data()},
               static_cast<int>(std::count(groups.begin(), groups.end(), 1)));
    starts_ = last_ || !alone_;
    if (starts_) Queue<Exec>(queue).wait_for(reached(back_.exec()));
    return false;
  }
  void add_up(const Exec& queue, int, double* out) override {
    add_rows(queue, of_steps_.data(), rows_, next_, out);
  }

private:
  /// Steps whose events are kept; one that is older has happened when the oldest of these has.
  static constexpr std::int64_t kept = 64;

  std::size_t fused_most() const { return static_cast<std::size_t>(fuses_); }
  Event<Exec>& left_at(std::int64_t step) { return left_[static_cast<std::size_t>(step % kept)]; }
  /// Where the queue is now. (A queue that waits for it has asked before it is recorded again.)
  const Event<Exec>& reached(const Exec& queue) {
    reached_.record(queue);
    return reached_;
  }

  /// Tiles of the points that are swept in some planes when `left` sweeps are left.
  Tiling tiling(const PlaneSpan& planes, int left) const {
    Box points = grown(grid_.owned, left, grid_.interior);
    points.lo[0] = planes.from;
    points.hi[0] = planes.to;
    return Tiling(points, plane_tile.planes, plane_tile.j, plane_tile.k);
  }

  /// Calls body(first plane, place in the ring, planes) for the pieces of a span that lie in one.
  template <class Body>
  void for_pieces(PlaneSpan planes, const Body& body) const {
    while (!planes.empty()) {
      const std::int64_t place = schedule_.place(planes.from);
      const std::int64_t count = std::min(planes.count(), schedule_.ring_planes() - place);
      body(static_cast<std::size_t>(planes.from) * plane_floats_,
           static_cast<std::size_t>(place) * plane_floats_,
           static_cast<std::size_t>(count) * plane_floats_);
      planes.from += count;
    }
  }

  /// Starts the copies of planes into the ring.
  void bring(const Pass& pass, const PlaneSpan& planes) const {
    for_pieces(planes, [&](std::size_t from, std::size_t to, std::size_t count) {
      const auto copy = [&](const Near& near, std::size_t first, const float* far,
                            std::size_t floats) {
        Kokkos::deep_copy(link_.exec(), Kokkos::subview(near, std::pair(first, first + floats)),
                          Far<const float*>(far, floats));
      };
      const auto& arrays = pass.coefficients.arrays;
      for (std::size_t a = 0; a < std::size(arrays); ++a)
        copy(coefficients_, a * array_floats_ + to, arrays[a] + from, count);
      copy(p_[0], to, pass.p + from, count);
      const auto range = std::pair(to, to + count);
      Kokkos::deep_copy(link_.exec(), Kokkos::subview(p_[1], range),  // for the fixed boundary
                        Kokkos::subview(p_[0], range));
    });
  }

  /// Starts the copies of planes to the host: of owned points, and of the fixed boundary if this
  /// rank has whole planes.
  void take_back(const Near& p, float* host, const PlaneSpan& planes) const {
    const Box &owned = grid_.owned, &interior = grid_.interior;
    const bool whole = owned.lo[1] == interior.lo[1] && owned.hi[1] == interior.hi[1] &&
                       owned.lo[2] == interior.lo[2] && owned.hi[2] == interior.hi[2];
    for_pieces(planes, [&](std::size_t to, std::size_t from, std::size_t count) {
      if (whole)
        return Kokkos::deep_copy(back_.exec(), Far<float*>(host + to, count),
                                 Kokkos::subview(p, std::pair(from, from + count)));
      using Rows = Kokkos::View<const float**, Kokkos::LayoutRight, Exec::memory_space,
                                Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
      const auto rows = std::pair(owned.lo[1], owned.hi[1]),
                 points = std::pair(owned.lo[2], owned.hi[2]);
      for (std::size_t plane = 0; plane < count; plane += plane_floats_)
        Kokkos::deep_copy(
            back_.exec(),
            Kokkos::subview(Far<float**>(host + to + plane, grid_.extents[1], grid_.pitch), rows,
                            points),
            Kokkos::subview(Rows(p.data() + from + plane, grid_.extents[1], grid_.pitch), rows,
                            points));
    });
  }

  /// The sweeps of one step.
  void sweep(const Exec& queue, const std::vector<int>& groups, const StreamStep& step, int row) {
    const Coefficients coefficients(coefficients_.data(), array_floats_, Layout::Arrays);
    int made = 0, slot = 0;
    for (std::size_t g = 0; g < groups.size(); made += groups[g++]) {
      const PlaneSpan& planes = step.swept[g];
      if (planes.empty()) continue;
      const int size = groups[g], beside = size;
      // As the kernel counts planes: from the first that the group needs.
      const std::int64_t first = (size > 1 ? step.wanted[g].from : planes.from) - beside;
      Pass part{grid_,
                coefficients,
                p_[g % 2].data(),
                p_[(g + 1) % 2].data(),
                {schedule_.place(first), schedule_.ring_planes()}};
      for (Box* box : {&part.grid.interior, &part.grid.owned})
        box->lo[0] -= first, box->hi[0] -= first;
      const PlaneSpan here{planes.from - first, planes.to - first};
      if (size == 1) {
        const Tiling tiles = tiling(here, next_ - made - 1);
        const auto of_group = static_cast<std::size_t>(made) * static_cast<std::size_t>(tiles_);
        sweep_tiles(queue, {part, tiles, part.grid.owned, of_tiles_.data() + of_group});
        continue;
      }
      part.grid.owned.lo[0] = here.from;
      part.grid.owned.hi[0] = here.to;
      jacobi::Sweep<Exec>& fused = *fused_[static_cast<std::size_t>(size)];
      fused.update(queue, part, slot++, {});
      // The groups that follow leave their sums side by side.
      const bool last =
          g + 1 == groups.size() || groups[g + 1] != size || step.swept[g + 1].empty();
      if (!last && slot < fused.slots()) continue;
      fused.add_up(
          queue, slot,
          of_steps_.data() + std::int64_t{row} * next_ + made + size - std::int64_t{slot} * size);
      slot = 0;
    }
  }

  Grid grid_;
  int sweeps_, fuses_;
  bool alone_;  ///< on one rank
  StreamSchedule schedule_;
  int tiles_, rows_;  ///< of a group of one sweep and of the sums, at most
  std::size_t plane_floats_, array_floats_;
  Near coefficients_;
  std::array<Near, 2> p_;
  std::array<std::unique_ptr<jacobi::Sweep<Exec>>, 5> fused_;  ///< by their sweeps
  TileSums<Exec> of_tiles_;  ///< of each group of one sweep: its tiles', over all steps
  TileSums<Exec> of_steps_;  ///< [row][sweep]: row 0 has groups of one sweep, n others in step n
  Queue<Exec> link_, back_;  ///< copies to the device and back, during the sweeps
  Event<Exec> reached_;
  std::array<Event<Exec>, kept> left_;
  bool starts_ = true, last_ = true;  ///< may something else come before the next pass, and after?
  int next_ = sweeps_;
};

}  // namespace

int stream_fuses(const Grid& grid) {
  if (!alone(grid)) return 1;
  constexpr int most = 4;
  for (int size = 2; size <= most; ++size)
    if (!why_not_temporal_cuda(window_of(grid, size, grid.extents[0]), tile_of(size)).empty())
      return 1;
  return most;
}

std::unique_ptr<Sweep<Exec>> make_streamed_sweep(const Exec& exec, const Grid& grid, int sweeps,
                                                 const StreamShape& shape) {
  return std::make_unique<StreamedSweep>(exec, grid, sweeps, shape);
}

}  // namespace memstencil::jacobi

#endif
