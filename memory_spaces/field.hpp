// Field: a Buffer seen as a Kokkos array of T, row-major (last index fastest).
#pragma once

#include "memory_spaces/buffer.hpp"

#include <Kokkos_Core.hpp>

#include <array>
#include <cstddef>
#include <string>
#include <utility>

namespace memstencil {

template <class T, int Rank>
class Field {
  template <class M, int R>
  struct PointerTo : PointerTo<M*, R - 1> {};
  template <class M>
  struct PointerTo<M, 0> {
    using type = M;
  };
  using DataType = typename PointerTo<T, Rank>::type;
  template <class MemSpace>
  using ViewIn = Kokkos::View<DataType, Kokkos::LayoutRight, MemSpace,
                              Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

public:
  using Extents = std::array<std::size_t, Rank>;

  /// Allocates, touches nothing. Label and errors as Buffer's.
  Field(const MemoryKind& kind, const Extents& extents, std::string label = "field")
      : extents_(extents), buffer_(kind, bytes(extents), std::move(label)) {}

  const Extents& extents() const { return extents_; }
  std::size_t size() const { return count(extents_); }
  T* data() const { return static_cast<T*>(buffer_.data()); }
  const Buffer& buffer() const { return buffer_; }

  /// For kernels of the default execution space.
  auto device_view() const {
    return view<Kokkos::DefaultExecutionSpace::memory_space>(std::make_index_sequence<Rank>{});
  }
  /// For host code. @throws UnsupportedSpace for the device memory of a GPU
  auto host_view() const {
    if (!buffer_.host_accessible())
      throw UnsupportedSpace(
          "device memory cannot be read by host code: copy it to a host-pinned field first");
    return view<Kokkos::HostSpace>(std::make_index_sequence<Rank>{});
  }

private:
  static std::size_t count(const Extents& extents) {
    std::size_t n = 1;
    for (std::size_t e : extents) n *= e;
    return n;
  }
  /// @throws OutOfMemory if 64 bits do not count them
  static std::size_t bytes(const Extents& extents) {
    std::size_t bytes = sizeof(T);
    for (const std::size_t e : extents)
      if (__builtin_mul_overflow(bytes, e, &bytes))
        throw OutOfMemory("an array of more bytes than 64 bits count");
    return bytes;
  }
  template <class MemSpace, std::size_t... D>
  auto view(std::index_sequence<D...>) const {
    return ViewIn<MemSpace>(data(), extents_[D]...);
  }

  Extents extents_;
  Buffer buffer_;
};

}  // namespace memstencil
