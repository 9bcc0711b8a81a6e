// Pins the fused CUDA sweep: p to the bit of single sweeps with FMA, gosa of every
// sweep, nothing else touched.
#include "kernels/jacobi/temporal_cuda.hpp"

#include "tests/kernels/packed.hpp"
#include "tests/kernels/reference.hpp"

#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace memstencil::jacobi {
namespace {

void ok(cudaError_t status) { ASSERT_EQ(status, cudaSuccess) << cudaGetErrorString(status); }

/// Device memory with a copy of `values`.
template <class T>
struct OnDevice {
  explicit OnDevice(const std::vector<T>& values) : count(values.size()) {
    ok(cudaMalloc(reinterpret_cast<void**>(&data), count * sizeof(T)));
    ok(cudaMemcpy(data, values.data(), count * sizeof(T), cudaMemcpyHostToDevice));
  }
  ~OnDevice() { cudaFree(data); }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;
  std::vector<T> values() const {
    std::vector<T> host(count);
    ok(cudaMemcpy(host.data(), data, count * sizeof(T), cudaMemcpyDeviceToHost));
    return host;
  }
  T* data = nullptr;
  std::size_t count;
};

/// Random arrays; bnd is 0 at some points, and what is no point (the end of a row) is not a number.
std::vector<std::vector<float>> random_arrays(const Grid& grid) {
  std::mt19937 engine(1);
  std::uniform_real_distribution<float> value(-0.1F, 0.1F);
  std::vector<std::vector<float>> arrays(array_count);
  for (auto& array : arrays) {
    array.assign(grid.elements(), std::numeric_limits<float>::quiet_NaN());
    for (std::int64_t r = 0; r < grid.extents[0] * grid.extents[1]; ++r)
      for (std::int64_t k = 0; k < grid.extents[2]; ++k)
        array[static_cast<std::size_t>(r * grid.pitch + k)] = value(engine);
  }
  for (float& b : arrays[BND]) b = b < -0.09F ? 0.0F : 1.0F;
  return arrays;
}

/// The original's ss with each product and sum in one rounding, written out once more so that the
/// test shares nothing with the code under test.
float expected_residual(const Grid& g, const std::vector<std::vector<float>>& a,
                        const std::vector<float>& p, std::size_t n) {
  const std::size_t i = g.row(1, 0), j = g.row(0, 1), k = 1;
  float s = a[A0][n] * p[n + i];
  s = std::fma(a[A1][n], p[n + j], s);
  s = std::fma(a[A2][n], p[n + k], s);
  s = std::fma(a[B0][n], p[n + i + j] - p[n + i - j] - p[n - i + j] + p[n - i - j], s);
  s = std::fma(a[B1][n], p[n + j + k] - p[n - j + k] - p[n + j - k] + p[n - j - k], s);
  s = std::fma(a[B2][n], p[n + i + k] - p[n - i + k] - p[n + i - k] + p[n - i - k], s);
  s = std::fma(a[C0][n], p[n - i], s);
  s = std::fma(a[C1][n], p[n - j], s);
  s = std::fma(a[C2][n], p[n - k], s) + a[WRK1][n];
  return std::fma(s, a[A3][n], -p[n]) * a[BND][n];
}

/// One sweep over `box` on the host; returns gosa over the owned points.
double sweep(const Grid& g, const std::vector<std::vector<float>>& a, std::vector<float>& p,
             const Box& box) {
  const std::vector<float> before = p;
  double gosa = 0.0;
  for (std::int64_t i = box.lo[0]; i < box.hi[0]; ++i)
    for (std::int64_t j = box.lo[1]; j < box.hi[1]; ++j)
      for (std::int64_t k = box.lo[2]; k < box.hi[2]; ++k) {
        const std::size_t n = g.row(i, j) + static_cast<std::size_t>(k);
        const float ss = expected_residual(g, a, before, n);
        p[n] = std::fma(omega, ss, before[n]);
        if (reference::contains(g.owned, i, j, k)) gosa += static_cast<double>(ss * ss);
      }
  return gosa;
}

struct Case {
  std::int64_t extents[3];
  std::int64_t halo;  // the owned points begin and end so far inside (beside the boundary, none)
  std::int64_t above = 0;  // they end so far inside in j
};

Grid grid_of(const Case& c, int sweeps) {
  Grid grid{{c.extents[0], c.extents[1], c.extents[2]}, row_pitch(c.extents[2]), {}, {}};
  for (int d = 0; d < 3; ++d) {
    grid.interior.lo[d] = 1;
    grid.interior.hi[d] = c.extents[d] - 1;
    grid.owned.lo[d] = 1 + c.halo * (sweeps + d);
    grid.owned.hi[d] = c.extents[d] - 1 - (d == 1 ? c.above : c.halo * sweeps);
  }
  return grid;
}

class TemporalCuda : public testing::TestWithParam<std::size_t> {
protected:
  void SetUp() override {
    int devices = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) GTEST_SKIP() << "no GPU";
    const std::string reason = why_not_temporal_cuda(grid_of({{9, 9, 9}, 0}, 1), GetParam());
    if (!reason.empty()) GTEST_SKIP() << reason;
  }
  const TemporalTile& tile() const { return temporal_tiles[GetParam()]; }
  void check(const Case& c) const {
    for (const Layout layout : all_layouts) {
      SCOPED_TRACE(name(layout));
      check(c, layout);
    }
  }
  void check(const Case& c, Layout layout) const;
};

void TemporalCuda::check(const Case& c, Layout layout) const {
  const int sweeps = tile().sweeps;
  const Grid grid = grid_of(c, sweeps);
  ASSERT_FALSE(grid.owned.empty());
  const auto arrays = random_arrays(grid);
  std::vector<std::unique_ptr<OnDevice<float>>> device;
  for (const auto& array : arrays) device.push_back(std::make_unique<OnDevice<float>>(array));
  const OnDevice<float> next(std::vector<float>(grid.elements(), -7.0F));
  const OnDevice<double> residuals(std::vector<double>(static_cast<std::size_t>(sweeps), -1.0));
  const OnDevice<float> packed_there(packed(arrays));
  Coefficients coefficients = packed_coefficients(packed_there.data);
  if (layout == Layout::Arrays) {
    coefficients.layout = layout;
    for (std::size_t n = 0; n < coefficient_count; ++n)
      coefficients.arrays[n] = device[n < P ? n : n + 1]->data;
  }
  const auto sweep_there = make_temporal_cuda(Kokkos::Cuda(), grid, GetParam());
  sweep_there->run(Kokkos::Cuda(), {grid, coefficients, device[P]->data, next.data},
                   residuals.data);
  ok(cudaDeviceSynchronize());

  std::vector<float> p = arrays[P];
  const std::vector<double> gosa = residuals.values();
  for (int s = 0; s < sweeps; ++s) {
    const double expected =
        sweep(grid, arrays, p, grown(grid.owned, sweeps - 1 - s, grid.interior));
    EXPECT_NEAR(gosa[static_cast<std::size_t>(s)], expected, 1e-12 * expected) << "sweep " << s + 1;
  }
  const std::vector<float> result = next.values();
  std::size_t wrong = 0;
  for (std::int64_t i = 0; i < grid.extents[0]; ++i)
    for (std::int64_t j = 0; j < grid.extents[1]; ++j)
      for (std::int64_t k = 0; k < grid.pitch; ++k) {
        const std::size_t n = grid.row(i, j) + static_cast<std::size_t>(k);
        const float expected = reference::contains(grid.owned, i, j, k) ? p[n] : -7.0F;
        wrong += std::memcmp(&result[n], &expected, sizeof expected) != 0;
      }
  EXPECT_EQ(wrong, 0U);
}

TEST_P(TemporalCuda, EqualsSingleSweepsToTheBit) {
  const std::int64_t rows = tile().rows;
  for (const Case& c :
       {Case{{3, 3, 3}, 0}, Case{{5, 4, 7}, 0}, Case{{37, 45, 83}, 0}, Case{{9, rows + 1, 63}, 0},
        Case{{9, rows + 2, 64}, 0}, Case{{9, rows + 3, 65}, 0}, Case{{30, 70, 259}, 0},
        Case{{4, 19, 61}, 0}, Case{{67, 29, 509}, 0}, Case{{6, 410, 820}, 0}}) {
    SCOPED_TRACE(testing::Message() << c.extents[0] << "x" << c.extents[1] << "x" << c.extents[2]);
    check(c);
  }
}

TEST_P(TemporalCuda, UpdatesTheOwnedPointsOfARankOnly) {
  check({{23, 41, 97}, 1});
  check({{16, 19, 140}, 1});
  // Their last rows are at another rank's: all tiles start lower, above the grid's first row.
  for (std::int64_t rows = 0; rows < 2 * tile().rows; ++rows)
    check({{9, 2 * tile().rows + rows, 70}, 0, tile().sweeps});
}

TEST_P(TemporalCuda, RefusesWhatItCannotIndex) {
  Grid grid = grid_of({{9, 9, 9}, 0}, 1);
  grid.pitch = std::int64_t{1} << 30;
  EXPECT_NE(why_not_temporal_cuda(grid, GetParam()), "");
  grid = grid_of({{9, 9, 9}, 0}, 1);
  grid.owned.hi[2] = grid.owned.lo[2];
  EXPECT_NE(why_not_temporal_cuda(grid, GetParam()), "");
}

INSTANTIATE_TEST_SUITE_P(EveryTile, TemporalCuda,
                         testing::Range<std::size_t>(0, temporal_tiles.size()));

}  // namespace
}  // namespace memstencil::jacobi
