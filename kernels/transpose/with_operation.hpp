// From an operation chosen at run time to one that a kernel is compiled for.
#pragma once

#include "kernels/transpose/transpose.hpp"

#include <type_traits>

namespace memstencil::transpose {

/// Calls f with the operation as a constant.
template <class F>
void with_operation(Operation operation, const F& f) {
  switch (operation) {
    case Operation::Plain:
      return f(std::integral_constant<Operation, Operation::Plain>{});
    case Operation::Accumulate:
      return f(std::integral_constant<Operation, Operation::Accumulate>{});
    case Operation::InPlace:
      return f(std::integral_constant<Operation, Operation::InPlace>{});
  }
}

}  // namespace memstencil::transpose
