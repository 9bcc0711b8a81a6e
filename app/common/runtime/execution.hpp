// The one place where --exec becomes an execution space of Kokkos.
#pragma once

#include "memory_spaces/memory_space.hpp"

#include <Kokkos_Core.hpp>

#include <type_traits>
#include <utility>

namespace memstencil {

inline constexpr bool host_is_only_execution_space =
    std::is_same_v<Kokkos::DefaultExecutionSpace, Kokkos::DefaultHostExecutionSpace>;

/// The executor whose execution space this is.
template <class Exec>
inline constexpr Executor executor_of =
    std::is_same_v<Exec, Kokkos::DefaultHostExecutionSpace> ? Executor::Host : Executor::Device;

/// Calls f.template operator()<Exec>() for the executor's execution space, which need not have
/// started. In a build without GPU there is one.
template <class F>
decltype(auto) with_execution_space_type(Executor executor, F&& f) {
  if constexpr (!host_is_only_execution_space)
    if (executor == Executor::Device)
      return std::forward<F>(f).template operator()<Kokkos::DefaultExecutionSpace>();
  return std::forward<F>(f).template operator()<Kokkos::DefaultHostExecutionSpace>();
}

/// Calls f(exec) with an instance of the executor's execution space. Kokkos must have started.
template <class F>
decltype(auto) with_execution_space(Executor executor, F&& f) {
  return with_execution_space_type(executor,
                                   [&]<class Exec>() -> decltype(auto) { return f(Exec()); });
}

}  // namespace memstencil
