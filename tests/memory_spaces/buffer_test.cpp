// Pins Buffer in every memory space: written by kernels, read by the host, owned once, released;
// and Field, which has one as an array of several indices, the last one fastest.
#include "memory_spaces/buffer.hpp"

#include "memory_spaces/field.hpp"
#include "memory_spaces/movement.hpp"
#include "tests/memory_spaces/each_space.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <fstream>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace memstencil {
namespace {

/// Element n gets 3n + first.
void write_by_kernel(const Buffer& buffer, int first) {
  auto* const data = static_cast<int*>(buffer.data());
  Kokkos::parallel_for(
      "test: write",
      Kokkos::RangePolicy<>(0, static_cast<std::int64_t>(buffer.bytes() / sizeof(int))),
      KOKKOS_LAMBDA(const int n) { data[n] = 3 * n + first; });
}

std::vector<int> read_back(const Buffer& buffer) {
  Kokkos::fence();
  std::vector<int> out(buffer.bytes() / sizeof(int));
  copy(out.data(), buffer.data(), buffer.bytes());
  return out;
}

std::vector<int> written(std::size_t count, int first) {
  std::vector<int> out(count);
  for (std::size_t n = 0; n < count; ++n) out[n] = 3 * static_cast<int>(n) + first;
  return out;
}

/// All that this process has mapped; not from statm, whose pages are not the program's under qemu.
std::size_t address_space_bytes() {
  std::ifstream status("/proc/self/status");
  std::string word;
  while (status >> word && word != "VmSize:") continue;
  std::size_t kib = 0;
  status >> kib;
  return kib * 1024;
}

using BufferIn = EachSpace;

TEST_P(BufferIn, IsWrittenByAKernelAndReadBack) {
  for (const std::size_t count : {std::size_t{1}, std::size_t{1000}, std::size_t{3} << 20}) {
    const Buffer buffer(GetParam(), count * sizeof(int));
    EXPECT_EQ(buffer.bytes(), count * sizeof(int));
    EXPECT_EQ(buffer.space(), GetParam().space);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.data()) % 256, 0U);
    write_by_kernel(buffer, 7);
    EXPECT_TRUE(read_back(buffer) == written(count, 7)) << count;
  }
}

TEST_P(BufferIn, IsReleasedAfterItsKernels) {
  for (int n = 0; n < 50; ++n) {
    const Buffer buffer(GetParam(), std::size_t{1} << 20);
    write_by_kernel(buffer, n);
  }
  Kokkos::fence();  // would report a kernel that has failed
}

TEST_P(BufferIn, MovesItsBytesToOneOwner) {
  Buffer first(GetParam(), 1000 * sizeof(int));
  write_by_kernel(first, 1);
  void* const data = first.data();
  Buffer second(std::move(first));
  EXPECT_EQ(second.data(), data);
  EXPECT_EQ(first.data(), nullptr);  // NOLINT: what moving leaves is part of the contract
  EXPECT_EQ(first.bytes(), 0U);
  Buffer third(GetParam(), 16);
  third = std::move(second);
  EXPECT_EQ(third.data(), data);
  EXPECT_EQ(third.bytes(), 1000 * sizeof(int));
  EXPECT_EQ(second.data(), nullptr);  // NOLINT
  EXPECT_EQ(read_back(third), written(1000, 1));
  Buffer& itself = third;
  third = std::move(itself);
  EXPECT_EQ(read_back(third), written(1000, 1));
  static_assert(!std::is_copy_constructible_v<Buffer> && !std::is_copy_assignable_v<Buffer>);
}

TEST_P(BufferIn, MayHaveNoBytes) {
  const Buffer buffer(GetParam(), 0);
  EXPECT_EQ(buffer.bytes(), 0U);
  copy(buffer.data(), buffer.data(), 0);
}

TEST_P(BufferIn, GivesItsMemoryBack) {
  // Five times as much in all as there is: an allocator would refuse. What is only mapped would
  // make the address space grow. (Pinning takes time, so less of that.)
  const bool slow = built_for_gpu() && GetParam().space == MemorySpace::HostPinned;
  const std::size_t bytes = slow ? std::size_t{1} << 28 : available_bytes(GetParam()) / 8;
  EXPECT_NE(Buffer(GetParam(), bytes).data(), nullptr);
  const std::size_t before = address_space_bytes();
  for (int n = 0; n < 40; ++n) EXPECT_NE(Buffer(GetParam(), bytes).data(), nullptr);
  EXPECT_LT(address_space_bytes(), before + bytes);
}

TEST_P(BufferIn, RefusesAnImpossibleSize) {
  for (const std::size_t bytes :
       {std::size_t{1} << 50, std::numeric_limits<std::size_t>::max() - 5000}) {
    try {
      const Buffer buffer(GetParam(), bytes);
      ADD_FAILURE() << bytes << " bytes were given";
    } catch (const OutOfMemory& refused) {
      const std::string line = refused.what();
      EXPECT_NE(line.find(std::to_string(bytes)), std::string::npos) << line;
      EXPECT_NE(line.find("available"), std::string::npos) << line;
      EXPECT_EQ(line.find('\n'), std::string::npos) << line;
    }
  }
}

TEST_P(BufferIn, IsFilledAndCopiedByBytes) {
  const Buffer from(GetParam(), 1000);
  const Buffer to(GetParam(), 1000);
  fill(from.data(), 0xAB, 1000);
  fill(to.data(), 0, 1000);
  copy(to.data(), from.data(), 999);
  std::vector<unsigned char> got(1000);
  copy(got.data(), to.data(), 1000);
  EXPECT_EQ(got.back(), 0);
  got.pop_back();
  EXPECT_EQ(got, std::vector<unsigned char>(999, 0xAB));
}

TEST_P(BufferIn, HasHugePagesOrSaysWhyNot) {
  const MemoryKind huge(GetParam().space, GetParam().allocation, Pages::Huge);
  const std::string reason = why_not_pages(huge);
  if (!reason.empty()) {
    EXPECT_NE(reason.find("--pages"), std::string::npos) << reason;
    if (built_for_gpu()) {
      EXPECT_THROW(Buffer(huge, 1 << 20), UnsupportedSpace);
    }
    return;
  }
  const std::size_t bytes = std::size_t{16} << 20;
  const Buffer buffer(huge, bytes);
  write_by_kernel(buffer, 2);
  EXPECT_TRUE(read_back(buffer) == written(bytes / sizeof(int), 2));
}

constexpr std::size_t I = 5, J = 7, K = 11;

void write(const Field<int, 3>& field) {
  const auto view = field.device_view();
  Kokkos::parallel_for(
      "test: write", Kokkos::MDRangePolicy<Kokkos::Rank<3>>({0, 0, 0}, {I, J, K}),
      KOKKOS_LAMBDA(const int i, const int j, const int k) {
        view(i, j, k) = 10000 * i + 100 * j + k;
      });
}

TEST_P(BufferIn, OfAFieldHasTheLastIndexFastestAndNoGaps) {
  const Field<int, 3> field(GetParam(), {I, J, K});
  EXPECT_EQ(field.size(), I * J * K);
  EXPECT_EQ(field.buffer().bytes(), I * J * K * sizeof(int));
  EXPECT_EQ(field.extents(), (Field<int, 3>::Extents{I, J, K}));
  write(field);
  Kokkos::fence();
  std::vector<int> got(field.size());
  copy(got.data(), field.data(), field.buffer().bytes());
  for (std::size_t i = 0; i < I; ++i)
    for (std::size_t j = 0; j < J; ++j)
      for (std::size_t k = 0; k < K; ++k)
        EXPECT_EQ(got[(i * J + j) * K + k], static_cast<int>(10000 * i + 100 * j + k));
}

TEST_P(BufferIn, OfAFieldWhoseBytesPassTheEndOf64BitsIsRefused) {
  constexpr std::size_t half = std::size_t{1} << 32;  // the product of both is 0 again
  EXPECT_THROW((Field<float, 2>(GetParam(), {half, half})), OutOfMemory);
  EXPECT_THROW((Field<double, 1>(GetParam(), {std::size_t{1} << 61})), OutOfMemory);
}

INSTANTIATE_TEST_SUITE_P(Spaces, BufferIn, testing::ValuesIn(all_memory_kinds()), space_test_name);

}  // namespace
}  // namespace memstencil
