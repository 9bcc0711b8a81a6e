// Vectors of 16 bytes, which a GPU reads and writes by one instruction.
#pragma once

#include <cstdint>

namespace memstencil {

template <class T>
struct alignas(16) Vector {
  static constexpr int size = 16 / static_cast<int>(sizeof(T));
  T x[size];
};

inline bool starts_at_vector(const void* data) {
  return reinterpret_cast<std::uintptr_t>(data) % 16 == 0;
}

}  // namespace memstencil
