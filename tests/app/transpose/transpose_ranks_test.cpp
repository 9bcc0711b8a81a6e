// Pins that ranks transpose together what one would: any shapes, all operations, every element verified.
#include "tests/app/transpose/transpose_cases.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <tuple>

namespace memstencil::transpose {
namespace {

using Case = std::tuple<Executor, ElementType>;

class TransposeRanks : public testing::TestWithParam<Case> {
protected:
  Communicator communicator;

  Options options(std::int64_t rows, std::int64_t columns) const {
    Options out = options_for(std::get<0>(GetParam()));
    out.type = std::get<1>(GetParam());
    out.rows = rows;
    out.columns = columns;
    out.every_variant = true;
    return out;
  }

  /// The run verifies every element, and throws where one is wrong.
  void check(const Options& o) {
    const RunResult run = run_of(o, communicator);
    const double matrices = o.accumulate ? 3 : 2;
    for (const ShapeResult& shape : run.shapes)
      for (const VariantResult& each : shape.variants) {
        EXPECT_EQ(each.seconds.size(), 2U);
        // Parts of one rank: what others wait for it counts once.
        const double whole = std::accumulate(each.seconds.begin(), each.seconds.end(), 1e-9);
        EXPECT_LE(each.pack + each.exchange + each.transpose, whole) << name(each.variant);
        if (each.variant == Variant::Copy) continue;
        EXPECT_EQ(each.bytes, matrices * static_cast<double>(shape.shape.rows * shape.shape.columns) *
                                  static_cast<double>(bytes_of(o.type)));
        EXPECT_EQ(each.exchange > 0, communicator.size() > 1) << name(each.variant);
      }
  }
};

// 1x1 leaves ranks without a row; 127x64 and 65x130 give blocks of unequal rows.
const std::vector<Shape> shapes{{1, 1}, {3, 2}, {2, 9}, {127, 64}, {65, 130}};

TEST_P(TransposeRanks, GiveEveryElementItsPlace) {
  for (const Shape& shape : shapes) check(options(shape.rows, shape.columns));
}

TEST_P(TransposeRanks, AddToB) {
  for (const Shape& shape : {shapes.front(), shapes.back()}) {
    Options o = options(shape.rows, shape.columns);
    o.accumulate = true;
    check(o);
  }
}

TEST_P(TransposeRanks, TurnSquareMatricesInPlace) {
  for (const std::int64_t size : {3, 101}) {
    Options o = options(size, size);
    o.in_place = true;
    check(o);
  }
}

TEST_P(TransposeRanks, SweepSizesInTheMemoryOfTheLargest) {
  Options o = options(1, 1);
  o.sizes = SizeRange{1, 40, 13};
  check(o);
}

INSTANTIATE_TEST_SUITE_P(All, TransposeRanks,
                         testing::Combine(testing::ValuesIn(executors()),
                                          testing::ValuesIn(all_element_types)));

}  // namespace
}  // namespace memstencil::transpose
