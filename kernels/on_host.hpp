// Is an execution space the host's? Asked so everywhere.
#pragma once

#include <Kokkos_Core.hpp>

#include <type_traits>

namespace memstencil {

/// Then its kernels work on rows that fit caches, one pass after the other; a device's work on
/// tiles, in queues that go on without the host.
template <class Exec>
inline constexpr bool on_host = std::is_same_v<typename Exec::memory_space, Kokkos::HostSpace>;

}  // namespace memstencil
