// Pins that a queue which waits for the edges of a fused CUDA pass finds their result while the
// rest is made, that a pass stores them where other ranks want them, and that no other point reads
// the halo.
#include "kernels/grid/boxes.hpp"
#include "kernels/jacobi/temporal_cuda.hpp"
#include "kernels/queue.hpp"
#include "tests/kernels/local_problem.hpp"

#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace memstencil::jacobi {
namespace {

using Device = Kokkos::Cuda;

void succeeds(cudaError_t status) { ASSERT_EQ(status, cudaSuccess) << cudaGetErrorString(status); }

/// A rank that has neighbours on both sides in i and j, or in one of them, or at one side.
struct Neighbours {
  std::int64_t below_i, above_i, below_j, above_j;  // planes and rows of other ranks
};
constexpr Neighbours everywhere{8, 9, 10, 11}, in_j{1, 1, 9, 8}, above_in_j{1, 1, 1, 10},
    below_in_i{7, 1, 1, 1};

const reference::Whole& whole() {
  static const reference::Whole made({34, 433, 530}, 3);
  return made;
}

/// Copies whole planes, or whole rows of j of all planes.
void copy_box(const Grid& grid, const Box& box, const float* from, float* to, cudaStream_t stream) {
  const bool planes = box.hi[1] - box.lo[1] == grid.owned.hi[1] - grid.owned.lo[1];
  const std::size_t first = planes ? grid.row(box.lo[0], 0) : grid.row(0, box.lo[1]);
  const std::size_t step = grid.row(1, 0) * sizeof(float);
  const std::size_t bytes = planes ? step : (grid.row(0, box.hi[1]) - first) * sizeof(float);
  const auto count = static_cast<std::size_t>(planes ? box.hi[0] - box.lo[0] : grid.extents[0]);
  succeeds(cudaMemcpy2DAsync(to + first, step, from + first, step, bytes, count, cudaMemcpyDefault,
                             stream));
}

class TemporalEdges : public testing::TestWithParam<std::size_t> {
protected:
  void SetUp() override {
    int devices = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) GTEST_SKIP() << "no GPU";
    const std::string reason = why_not_temporal_cuda(problem(in_j).grid, GetParam());
    if (!reason.empty()) GTEST_SKIP() << reason;
  }
  int sweeps() const { return temporal_tiles[GetParam()].sweeps; }
  LocalProblem<Device> problem(const Neighbours& n) const {
    const reference::Extents& e = whole().extents;
    return {whole(),
            {{n.below_i, n.below_j, 1}, {e[0] - n.above_i, e[1] - n.above_j, e[2] - 1}},
            sweeps()};
  }
  std::unique_ptr<Sweep<Device>> make(const LocalProblem<Device>& local,
                                      EdgesFirst edges_first = EdgesFirst::Yes) const {
    return make_temporal_cuda(Device(), local.grid, GetParam(), edges_first);
  }
  /// Points that other ranks get: of each side in i, then in j.
  std::vector<Box> edges(const Grid& grid) const {
    std::vector<Box> out;
    for (int d = 0; d < 2; ++d) {
      Box low = grid.owned, high = grid.owned;
      low.hi[d] = low.lo[d] + sweeps();
      high.lo[d] = high.hi[d] - sweeps();
      if (grid.owned.lo[d] > grid.interior.lo[d]) out.push_back(low);
      if (grid.owned.hi[d] < grid.interior.hi[d]) out.push_back(high);
    }
    return out;
  }
  /// Of `times` passes those after which a copy of the edges is not `right`. The copy starts in
  /// another queue, when that has waited or at once.
  int wrong_copies(const Neighbours& neighbours, EdgesFirst edges_first, int times,
                   bool waits) const {
    const LocalProblem<Device> local = problem(neighbours);
    const Grid& grid = local.grid;
    const auto sweep = make(local, edges_first);
    const ArrayOf<Device, double> sums("sums", static_cast<std::size_t>(sweeps()));
    const ArrayOf<Device, float> right("right", grid.elements()), copied("copied", grid.elements());
    sweep->run(Device(), local.pass(), sums.data());
    Kokkos::deep_copy(right, local.next);
    const Queue<Device> messages;
    int wrong = 0;
    for (int n = 0; n < times; ++n) {
      Kokkos::deep_copy(local.next, untouched);
      Kokkos::fence();
      sweep->run(Device(), local.pass(), sums.data(), {waits ? &messages.exec() : nullptr});
      for (const Box& box : edges(grid))
        copy_box(grid, box, local.next.data(), copied.data(), messages.exec().cuda_stream());
      Kokkos::fence();
      bool same = true;
      for (const Box& box : edges(grid))
        same = same && !first_difference(Device(), grid, box, copied.data(), right.data());
      wrong += same ? 0 : 1;
    }
    return wrong;
  }
};

TEST_P(TemporalEdges, AreFinalWhenAQueueHasWaitedForThem) {
  for (const EdgesFirst edges_first : {EdgesFirst::Yes, EdgesFirst::Soonest}) {
    ASSERT_EQ(make(problem(in_j), edges_first)->edges(), Edges::Early);
    for (const Neighbours& each : {everywhere, in_j, above_in_j, below_in_i})
      if (make(problem(each), edges_first)->edges() == Edges::Early)
        EXPECT_EQ(wrong_copies(each, edges_first, 1000, true), 0);
  }
}

TEST_P(TemporalEdges, AreNotFinalBefore) {
  EXPECT_GT(wrong_copies(in_j, EdgesFirst::Yes, 50, false), 0);
}

/// Points of `there` that are not what was stored there: of each box its owned points, behind each
/// other, in rows and planes that are longer than they.
int wrong_stores(const Grid& grid, const std::vector<Box>& boxes, const std::vector<float>& made,
                 const std::vector<float>& there, std::int64_t row, std::int64_t plane) {
  std::vector<float> want(there.size(), untouched);
  std::int64_t first = 0;
  for (const Box& box : boxes) {
    for (std::int64_t i = box.lo[0]; i < box.hi[0]; ++i)
      for (std::int64_t j = box.lo[1]; j < box.hi[1]; ++j)
        for (std::int64_t k = std::max(box.lo[2], grid.owned.lo[2]);
             k < std::min(box.hi[2], grid.owned.hi[2]); ++k)
          want[static_cast<std::size_t>(first + (i - box.lo[0]) * plane + (j - box.lo[1]) * row +
                                        k - box.lo[2])] =
              made[grid.row(i, j) + static_cast<std::size_t>(k)];
    first += (box.hi[0] - box.lo[0]) * plane;
  }
  int wrong = 0;
  for (std::size_t n = 0; n < want.size(); ++n) wrong += same_bits(want[n], there[n]) ? 0 : 1;
  return wrong;
}

TEST_P(TemporalEdges, AreStoredBesideThePassWhereTheyBelong) {
  for (const Neighbours& each : {everywhere, in_j, above_in_j, below_in_i}) {
    const LocalProblem<Device> local = problem(each);
    const Grid& grid = local.grid;
    std::vector<Box> boxes = edges(grid);
    for (Box& box : boxes) {  // with the fixed boundary, as a halo has it
      box.lo[2] = 0;
      box.hi[2] = grid.extents[2];
    }
    const std::int64_t row = grid.pitch + 3, plane = row * (grid.extents[1] + 2);
    std::int64_t planes = 0;
    for (const Box& box : boxes) planes += box.hi[0] - box.lo[0];
    const auto size = static_cast<std::size_t>(planes * plane);
    const ArrayOf<Device, float> there("there", size), seen("seen", size);
    std::vector<HaloStore> stores;
    float* to = there.data();
    for (const Box& box : boxes) {
      stores.push_back({box, reinterpret_cast<char*>(to), static_cast<std::size_t>(row) * 4,
                        static_cast<std::size_t>(plane) * 4});
      to += (box.hi[0] - box.lo[0]) * plane;
    }
    const ArrayOf<Device, double> sums("sums", static_cast<std::size_t>(sweeps()));
    const Queue<Device> signals;
    for (const EdgesFirst edges_first : {EdgesFirst::No, EdgesFirst::Soonest}) {
      const auto sweep = make(local, edges_first);
      for (int n = 0; n < 5; ++n) {
        Kokkos::deep_copy(there, untouched);
        Kokkos::fence();
        ASSERT_TRUE(sweep->run(Device(), local.pass(), sums.data(), {&signals.exec(), stores}));
        if (sweep->edges() == Edges::Last) Kokkos::fence();
        Kokkos::deep_copy(signals.exec(), seen, there);
        Kokkos::fence();
        EXPECT_EQ(wrong_stores(grid, boxes, downloaded(local.next), downloaded(seen), row, plane),
                  0);
      }
      // Of the next pass nobody wants them.
      Kokkos::deep_copy(there, untouched);
      sweep->run(Device(), local.pass(), sums.data());
      EXPECT_EQ(wrong_stores(grid, {}, downloaded(local.next), downloaded(there), row, plane), 0);
    }
  }
}

TEST_P(TemporalEdges, AloneReadTheHalo) {
  for (const Neighbours& each : {everywhere, in_j, above_in_j, below_in_i}) {
    const LocalProblem<Device> local = problem(each);
    const Grid& grid = local.grid;
    const auto sweep = make(local);
    const ArrayOf<Device, double> sums("sums", static_cast<std::size_t>(sweeps()));
    sweep->run(Device(), local.pass(), sums.data());
    const ArrayOf<Device, float> right("right", grid.elements());
    Kokkos::deep_copy(right, local.next);
    Box inner = grid.owned;
    for (int d = 0; d < 2; ++d)
      for (int end = 0; end < 2; ++end) {
        Box halo{{0, 0, 0}, {grid.extents[0], grid.extents[1], grid.extents[2]}};
        (end == 0 ? halo.hi[d] : halo.lo[d]) = end == 0 ? grid.owned.lo[d] : grid.owned.hi[d];
        const bool other = end == 0 ? grid.owned.lo[d] > grid.interior.lo[d]
                                    : grid.owned.hi[d] < grid.interior.hi[d];
        if (!other) continue;
        spoil(Device(), grid, halo, local.arrays[P].data());
        (end == 0 ? inner.lo[d] : inner.hi[d]) += end == 0 ? sweeps() : -sweeps();
      }
    Kokkos::deep_copy(local.next, untouched);
    sweep->run(Device(), local.pass(), sums.data());
    EXPECT_FALSE(first_difference(Device(), grid, inner, local.next.data(), right.data()));
    EXPECT_TRUE(first_difference(Device(), grid, grid.owned, local.next.data(), right.data()));
  }
}

INSTANTIATE_TEST_SUITE_P(EveryTile, TemporalEdges,
                         testing::Range<std::size_t>(0, temporal_tiles.size()));

}  // namespace
}  // namespace memstencil::jacobi
