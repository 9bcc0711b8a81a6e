// Function markers, vectors and arithmetic that mean the same in host code and in device code.
#pragma once

#include <cstdint>

// Results are the original program's to the bit, and NaN is found by comparing.
#if defined(__FAST_MATH__) || defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__) || \
    (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__)
#error "-ffast-math (also by -Ofast) changes results: take -O3 and no flag of fast mathematics"
#endif

#if defined(__CUDACC__)
#define MEMSTENCIL_FUNCTION __host__ __device__ __forceinline__
#else
#define MEMSTENCIL_FUNCTION inline __attribute__((always_inline))
#endif

// Before a loop with a constant count, whose arrays are to stay in registers.
#if defined(__CUDA_ARCH__)
#define MEMSTENCIL_UNROLL _Pragma("unroll")
#elif defined(__CUDACC__)
#define MEMSTENCIL_UNROLL  // the host compiler would get nvcc's words
#else
#define MEMSTENCIL_UNROLL _Pragma("GCC unroll 16")
#endif

// Before a loop that is not to be unrolled on a device.
#if defined(__CUDA_ARCH__)
#define MEMSTENCIL_ROLLED _Pragma("unroll 1")
#else
#define MEMSTENCIL_ROLLED
#endif

// Instantiates a template for each execution space that programs run on;
// for files that include Kokkos.
#if defined(MEMSTENCIL_CUDA)
#define MEMSTENCIL_FOR_EXECUTION_SPACES(INSTANTIATE) \
  INSTANTIATE(Kokkos::DefaultHostExecutionSpace)     \
  INSTANTIATE(Kokkos::DefaultExecutionSpace)
#else
#define MEMSTENCIL_FOR_EXECUTION_SPACES(INSTANTIATE) INSTANTIATE(Kokkos::DefaultHostExecutionSpace)
#endif

namespace memstencil {

/// Reads a value that no thread writes while the kernel runs. On a device by the read-only path:
/// then the compiler may move the read before stores of the kernel, and the next plane's reads are
/// under way while this plane is computed.
template <class T>
MEMSTENCIL_FUNCTION T read_only(const T& value) {
#if defined(__CUDA_ARCH__)
  return __ldg(&value);
#else
  return value;
#endif
}

/// 16 bytes, which a device reads and writes by one instruction.
template <class T>
struct alignas(16) Vector {
  static constexpr int size = 16 / static_cast<int>(sizeof(T));
  T x[size];
};
inline bool starts_at_vector(const void* data) {
  return reinterpret_cast<std::uintptr_t>(data) % 16 == 0;
}

/// Reads a value that is not read again soon. On a device it is the first to leave the caches, so
/// that values that are read again stay. T: float or double.
template <class T>
MEMSTENCIL_FUNCTION T read_once(const T& value) {
#if defined(__CUDA_ARCH__)
  return __ldcs(&value);
#else
  return value;
#endif
}

/// The same for a value that is written.
template <class T>
MEMSTENCIL_FUNCTION void write_once(T& to, const T& value) {
#if defined(__CUDA_ARCH__)
  __stcs(&to, value);
#else
  to = value;
#endif
}

/// 16 bytes as two doubles that have names.
struct alignas(16) TwoDoubles {
  double x, y;
};
MEMSTENCIL_FUNCTION TwoDoubles read_only(const TwoDoubles& values) {
#if defined(__CUDA_ARCH__)
  const double2 read = __ldg(reinterpret_cast<const double2*>(&values));
  return {read.x, read.y};
#else
  return values;
#endif
}

/// a*b + c. In host code two roundings, as the original C program compiled without contraction; in
/// device code one (FMA). Written out, so that every kernel of one processor rounds alike: sweep
/// kinds stay bit-identical whatever the compiler would contract.
MEMSTENCIL_FUNCTION float multiply_add(float a, float b, float c) {
#if defined(__CUDA_ARCH__)
  return __fmaf_rn(a, b, c);
#else
  return c + a * b;
#endif
}

MEMSTENCIL_FUNCTION double multiply_add(double a, double b, double c) {
#if defined(__CUDA_ARCH__)
  return __fma_rn(a, b, c);
#else
  return c + a * b;
#endif
}

/// a*b, rounded: nothing that is added to it is contracted with it.
MEMSTENCIL_FUNCTION float product(float a, float b) {
#if defined(__CUDA_ARCH__)
  return __fmul_rn(a, b);
#else
  return a * b;
#endif
}

}  // namespace memstencil
