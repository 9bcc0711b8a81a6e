// The one place where --exec becomes an execution space of Kokkos.
#pragma once

#include "kernels/on_host.hpp"
#include "memory_spaces/memory_space.hpp"

#include <Kokkos_Core.hpp>

#include <utility>

namespace memstencil {

/// The executor whose execution space this is.
template <class Exec>
inline constexpr Executor executor_of = on_host<Exec> ? Executor::Host : Executor::Device;

/// Calls f.template operator()<Exec>() for the executor's execution space, which need not have
/// started. In a build without GPU there is one.
template <class F>
decltype(auto) with_execution_space_type(Executor executor, F&& f) {
  if constexpr (!on_host<Kokkos::DefaultExecutionSpace>)
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
