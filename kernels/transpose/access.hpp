// Access to the matrices by a kernel's threads: by the caches' usual rules, or marked as touched
// once.
#pragma once

#include "kernels/portable.hpp"

#include <cstring>

namespace memstencil::transpose {

struct Usual {
  template <class Value>
  MEMSTENCIL_FUNCTION static Value read(const Value* from) {
    return *from;
  }
  template <class Value>
  MEMSTENCIL_FUNCTION static void write(Value* to, const Value& value) {
    *to = value;
  }
};

/// On a GPU first to leave the caches, reads as well as writes: worth 2 to 3 % of a copy on an
/// H100, and reads alone cost as much (docs/lab/transpose.md). Value: float, double, or a Vector of
/// them.
struct Once {
  template <class Value>
  MEMSTENCIL_FUNCTION static Value read(const Value* from) {
#if defined(__CUDA_ARCH__)
    if constexpr (sizeof(Value) < 16) {
      return __ldcs(from);
    } else {
      const float4 bits = __ldcs(reinterpret_cast<const float4*>(from));
      Value value;
      memcpy(&value, &bits, sizeof value);
      return value;
    }
#else
    return *from;
#endif
  }
  template <class Value>
  MEMSTENCIL_FUNCTION static void write(Value* to, const Value& value) {
#if defined(__CUDA_ARCH__)
    if constexpr (sizeof(Value) < 16) {
      __stcs(to, value);
    } else {
      float4 bits;
      memcpy(&bits, &value, sizeof bits);
      __stcs(reinterpret_cast<float4*>(to), bits);
    }
#else
    *to = value;
#endif
  }
};

}  // namespace memstencil::transpose
