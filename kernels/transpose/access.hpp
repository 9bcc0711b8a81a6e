// Access to the matrices by a kernel's threads: by the caches' usual rules, or marked as touched
// once.
#pragma once

#include "kernels/portable.hpp"

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
/// H100, and reads alone cost as much (docs/lab/transpose.md).
struct Once {
  template <class Value>
  MEMSTENCIL_FUNCTION static Value read(const Value* from) {
    return read_once(*from);
  }
  template <class Value>
  MEMSTENCIL_FUNCTION static void write(Value* to, const Value& value) {
    write_once(*to, value);
  }
};

}  // namespace memstencil::transpose
