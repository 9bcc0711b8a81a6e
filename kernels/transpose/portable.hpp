// The transposes that are written once for hosts and devices, with Kokkos.
#pragma once

#include "kernels/transpose/transpose.hpp"

namespace memstencil::transpose {

/// One kernel of teams with scratch memory: on a device a team of 256 threads moves a padded 64 x 64
/// tile, on a host a team of one thread moves a part of the matrix that its caches hold, by SIMD.
template <class T, class Exec>
void portable(const Job<T>& job);

/// Element by element, rows of A in order.
template <class T, class Exec>
void naive_host(const Job<T>& job);

/// The yardstick on a host: the same matrix read and written in order, past the caches where it does not
/// fit them.
template <class T, class Exec>
void copy_host(const Job<T>& job);

}  // namespace memstencil::transpose
