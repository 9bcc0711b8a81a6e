// Pins the read of arrays by all threads of the host: every element counts once.
#include "kernels/streams.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace memstencil {
namespace {

using Host = Kokkos::DefaultHostExecutionSpace;

template <class T>
class ReadStream : public testing::Test {};
using Elements = testing::Types<float, double>;
TYPED_TEST_SUITE(ReadStream, Elements);

TYPED_TEST(ReadStream, SumsEveryElementOfEveryArrayOnce) {
  for (const std::int64_t count : {0, 1, 4095, 4096, 4097, 50'000}) {
    const std::vector<TypeParam> first(static_cast<std::size_t>(count), TypeParam{1}),
        second(static_cast<std::size_t>(2 * count), TypeParam{3});
    const std::vector<Stream<TypeParam>> all{{first.data(), count}, {second.data(), 2 * count}};
    EXPECT_EQ(read_stream(Host(), all), 7.0 * static_cast<double>(count)) << count;
  }
}

TYPED_TEST(ReadStream, FindsOneElementWhereverItIs) {
  constexpr std::int64_t count = 9000;
  std::vector<TypeParam> data(count);
  for (const std::size_t at : {0, 63, 64, 4095, 4096, 8191, 8192, 8999}) {
    data[at] = TypeParam{5};
    EXPECT_EQ(read_stream(Host(), std::vector<Stream<TypeParam>>{{data.data(), count}}), 5.0) << at;
    data[at] = TypeParam{0};
  }
}

}  // namespace
}  // namespace memstencil
