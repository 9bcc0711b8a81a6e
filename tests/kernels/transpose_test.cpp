// Pins every transpose against the definition: all variants, types, tiles and awkward shapes,
// and that nothing outside of B's elements is written.
#include "kernels/transpose/transpose.hpp"

#include "tests/kernels/local_problem.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <string>
#include <tuple>
#include <vector>

namespace memstencil::transpose {
namespace {

using jacobi::downloaded;
using jacobi::HostExec;
using jacobi::uploaded;
using Device = Kokkos::DefaultExecutionSpace;

/// Elements before and behind B that must stay as they are; also shifts its rows out of line.
constexpr std::size_t guard = 96;

struct Shape {
  std::int64_t rows, columns;
  std::int64_t a_padding = 0, b_padding = 0;
  std::size_t shift = 0;  ///< elements by which both matrices start past an aligned address
};

std::ostream& operator<<(std::ostream& out, const Shape& s) {
  return out << s.rows << "x" << s.columns << ", padding " << s.a_padding << " and " << s.b_padding
             << ", shift " << s.shift;
}

/// Tiny, cut, whole and several tiles (sides of 32, 64 and 128); rows that start at multiples of
/// 16 bytes, and rows that do not.
const std::vector<Shape> shapes{{1, 1},
                                {1, 300},
                                {300, 1},
                                {2, 3, 5, 1},
                                {31, 33},
                                {64, 64},
                                {64, 64, 4, 8, 1},
                                {65, 127, 1, 3},
                                {63, 129, 31, 1, 4},
                                {128, 256, 32, 16},
                                {130, 70, 2, 2},
                                {257, 509, 3, 3},
                                {257, 509, 0, 0, 3},
                                {300, 515, 29, 20},
                                {384, 131, 0, 7, 5}};

template <class T>
std::vector<T> random_values(std::size_t count, unsigned seed) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<T> draw(-1, 1);
  std::vector<T> out(count);
  std::generate(out.begin(), out.end(), [&] { return draw(engine); });
  return out;
}

/// The two matrices of a job in the memory of an execution space, with guards around them.
template <class T, class Exec>
struct Matrices {
  explicit Matrices(const Shape& shape, int tile = 32)
      : a_pitch(shape.columns + shape.a_padding),
        b_pitch(shape.rows + shape.b_padding),
        offset(guard + shape.shift),
        a_start(random_values<T>(size(shape), 1)),
        b_start(random_values<T>(size(shape), 2)),
        a(uploaded<Exec>(a_start)),
        b(uploaded<Exec>(b_start)),
        job{a.data() + offset, b.data() + offset, shape.rows, shape.columns,
            a_pitch,           b_pitch,           tile} {}

  std::vector<T> transposed() const {
    return expected([&](std::int64_t row, std::int64_t column) { return column * b_pitch + row; });
  }
  std::vector<T> copied() const {
    return expected([&](std::int64_t row, std::int64_t column) { return row * a_pitch + column; });
  }
  /// Room for B in either layout, and for A.
  std::size_t size(const Shape& shape) const {
    return static_cast<std::size_t>(std::max(shape.rows * a_pitch, shape.columns * b_pitch)) +
           offset + guard;
  }
  template <class Index>
  std::vector<T> expected(const Index& index) const {
    std::vector<T> out = b_start;
    for (std::int64_t row = 0; row < job.rows; ++row)
      for (std::int64_t column = 0; column < job.columns; ++column) {
        const T value = a_start[offset + static_cast<std::size_t>(row * a_pitch + column)];
        out[offset + static_cast<std::size_t>(index(row, column))] = value;
      }
    return out;
  }

  std::int64_t a_pitch, b_pitch;
  std::size_t offset;
  std::vector<T> a_start, b_start;
  jacobi::ArrayOf<Exec, T> a, b;
  Job<T> job;
};

template <class Case>
class Transposes : public testing::Test {
public:
  using T = std::tuple_element_t<0, Case>;
  using Exec = std::tuple_element_t<1, Case>;

  static std::vector<OfferedVariant> all(int tile = 32) {
    return variants_offered<Exec>(Job<T>{nullptr, nullptr, 8, 9, 9, 8, tile});
  }

  /// Every variant that the job is not refused by.
  static void expect_right(const Shape& shape, int tile, int fewest) {
    int ran = 0;
    for (const auto& [variant, why_not] :
         variants_offered<Exec>(Matrices<T, Exec>(shape, tile).job)) {
      if (!why_not.empty()) continue;
      SCOPED_TRACE(testing::Message() << name(variant) << ", " << shape);
      const Matrices<T, Exec> matrices(shape, tile);
      run(Exec(), variant, matrices.job);
      const std::vector<T> got = downloaded(matrices.b);
      const std::vector<T> want =
          variant == Variant::Copy ? matrices.copied() : matrices.transposed();
      EXPECT_EQ(first_difference(got, want), got.size());
      EXPECT_EQ(downloaded(matrices.a), matrices.a_start);
      ++ran;
    }
    EXPECT_GE(ran, fewest);
  }

  /// Their count where there is none: an index says more than two whole arrays.
  static std::size_t first_difference(const std::vector<T>& got, const std::vector<T>& want) {
    return static_cast<std::size_t>(std::mismatch(got.begin(), got.end(), want.begin()).first -
                                    got.begin());
  }
};

using Cases =
    std::conditional_t<std::is_same_v<HostExec, Device>,
                       testing::Types<std::tuple<float, HostExec>, std::tuple<double, HostExec>>,
                       testing::Types<std::tuple<float, HostExec>, std::tuple<double, HostExec>,
                                      std::tuple<float, Device>, std::tuple<double, Device>>>;
TYPED_TEST_SUITE(Transposes, Cases);

TYPED_TEST(Transposes, AreRightByTilesOf32AndOf16AndWriteNothingElse) {
  for (const Shape& shape : shapes) {
    this->expect_right(shape, 32, 3);
    this->expect_right(shape, 16, 1);
  }
}

TYPED_TEST(Transposes, TogetherWriteEachItsOwn) {
  using Element = typename TestFixture::T;
  using Space = typename TestFixture::Exec;
  const Shape shape{257, 509, 3, 3, 3};
  for (const Variant variant : {Variant::Naive, Variant::Portable}) {
    const Matrices<Element, Space> matrices(shape);
    std::vector<Job<Element>> jobs;  // of a few columns of A, of one, and of many tiles
    for (std::int64_t first = 0, columns = 0; first < shape.columns; first += columns) {
      const std::array<std::int64_t, 3> widths{70, 1, 300};
      columns = std::min(widths[jobs.size() % 3], shape.columns - first);
      Job<Element>& job = jobs.emplace_back(matrices.job);
      job.a += first;
      job.b += first * job.b_pitch;
      job.columns = columns;
    }
    ASSERT_EQ(jobs.size(), 6U);
    run_together(Space(), variant, jobs);
    Space().fence();
    EXPECT_EQ(this->first_difference(downloaded(matrices.b), matrices.transposed()),
              matrices.transposed().size());
  }
}

TYPED_TEST(Transposes, AreListedInOneOrder) {
  for (const int tile : {16, 32}) {
    std::vector<std::string> names;
    for (const OfferedVariant& each : this->all(tile)) names.emplace_back(name(each.variant));
    EXPECT_EQ(names, (std::vector<std::string>{"copy", "naive", "tiled", "padded", "diagonal",
                                               "diagonal-conflicts", "portable", "vendor"}));
  }
}

}  // namespace
}  // namespace memstencil::transpose
