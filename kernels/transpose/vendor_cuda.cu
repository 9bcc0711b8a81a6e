// cuBLAS' transpose: geam, from a library that is looked up when it is first wanted.
#include "kernels/shared_library.hpp"
#include "kernels/transpose/variants.hpp"

#include <cublas_v2.h>

#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace memstencil::transpose {
namespace {

void check(cublasStatus_t status, const char* what) {
  if (status != CUBLAS_STATUS_SUCCESS)
    throw std::runtime_error(std::string(what) + ": cuBLAS status " +
                             std::to_string(static_cast<int>(status)));
}

const SharedLibrary& library() {
  static const SharedLibrary opened("libcublas.so." + std::to_string(CUBLAS_VER_MAJOR),
                                    "the CUDA toolkit");
  return opened;
}

/// One for the program, as long as it lives: making it takes longer than most transposes.
cublasHandle_t handle() {
  static const cublasHandle_t made = [] {
    cublasHandle_t out = nullptr;
    check(library().function<decltype(cublasCreate_v2)>("cublasCreate_v2")(&out), "cublasCreate");
    return out;
  }();
  return made;
}

}  // namespace

template <class T>
std::string why_not_vendor_cuda(const Job<T>& job) {
  constexpr std::int64_t most = std::numeric_limits<int>::max();
  if (job.a_pitch > most || job.b_pitch > most)
    return "geam counts the elements of a row in 32 bits";
  return library().refused();
}

template <class T>
void vendor_cuda(const Job<T>& job, void* stream) {
  check(library().function<decltype(cublasSetStream_v2)>("cublasSetStream_v2")(
            handle(), static_cast<cudaStream_t>(stream)),
        "cublasSetStream");
  const T one = 1, none = 0;
  // cuBLAS counts by columns: to it our rows are columns, B is rows x columns, and A its transpose.
  const auto geam = [&](auto* call) {
    check(call(handle(), CUBLAS_OP_T, CUBLAS_OP_N, static_cast<int>(job.rows),
               static_cast<int>(job.columns), &one, job.a, static_cast<int>(job.a_pitch), &none,
               job.b, static_cast<int>(job.b_pitch), job.b, static_cast<int>(job.b_pitch)),
          "geam");
  };
  if constexpr (std::is_same_v<T, float>)
    geam(library().function<decltype(cublasSgeam)>("cublasSgeam"));
  else
    geam(library().function<decltype(cublasDgeam)>("cublasDgeam"));
}

template std::string why_not_vendor_cuda(const Job<float>&);
template std::string why_not_vendor_cuda(const Job<double>&);
template void vendor_cuda(const Job<float>&, void*);
template void vendor_cuda(const Job<double>&, void*);

}  // namespace memstencil::transpose
