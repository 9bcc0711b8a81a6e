// Field: a Buffer seen as a Kokkos array of T, row-major (last index fastest).
#pragma once

#include "memory_spaces/buffer.hpp"

#include <Kokkos_Core.hpp>

#include <array>
#include <cstddef>
#include <string>
#include <tuple>
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
  using View = Kokkos::View<typename PointerTo<T, Rank>::type, Kokkos::LayoutRight,
                            Kokkos::DefaultExecutionSpace::memory_space,
                            Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

public:
  using Extents = std::array<std::size_t, Rank>;

  /// Allocates, touches nothing. Label and errors as Buffer's.
  Field(const MemoryKind& kind, const Extents& extents, std::string label = "field")
      : extents_(extents), buffer_(kind, bytes(extents), std::move(label)) {}

  const Extents& extents() const { return extents_; }
  std::size_t size() const { return buffer_.bytes() / sizeof(T); }
  T* data() const { return static_cast<T*>(buffer_.data()); }
  const Buffer& buffer() const { return buffer_; }

  /// For kernels of the default execution space.
  View device_view() const {
    return std::apply([this](auto... extent) { return View(data(), extent...); }, extents_);
  }

private:
  /// @throws OutOfMemory if 64 bits do not count them
  static std::size_t bytes(const Extents& extents) {
    std::size_t bytes = sizeof(T);
    for (const std::size_t e : extents)
      if (__builtin_mul_overflow(bytes, e, &bytes))
        throw OutOfMemory("an array of more bytes than 64 bits count");
    return bytes;
  }

  Extents extents_;
  Buffer buffer_;
};

}  // namespace memstencil
