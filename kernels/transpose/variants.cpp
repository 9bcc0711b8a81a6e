// Every transpose that there is, and why some of them cannot do a job here.
#include "kernels/transpose/native_cuda.hpp"
#include "kernels/transpose/portable.hpp"
#include "kernels/transpose/transpose.hpp"

#include <Kokkos_Core.hpp>

namespace memstencil::transpose {
namespace {

template <class T>
std::string refuse(const Job<T>& job) {
  if (job.operation == Operation::InPlace && job.rows != job.columns)
    return "only a square matrix can be transposed in place";
  return {};
}

template <class T, class Exec>
std::vector<Variant<T>> host_variants(const Job<T>& job) {
  const std::string no = refuse(job);
  std::vector<Variant<T>> out{{"copy", no, copy_host<T, Exec>}, {"naive", no, naive_host<T, Exec>}};
  for (const char* native : {"tiled", "padded", "diagonal", "diagonal-conflicts"})
    out.push_back({native, "needs a GPU: it is native CUDA", nullptr});
  out.push_back({"portable", no, portable<T, Exec>});
  for (const char* native : {"tuned", "vendor"})
    out.push_back({native, "needs a GPU: it is native CUDA", nullptr});
  return out;
}

#if defined(KOKKOS_ENABLE_CUDA)

template <class T>
Variant<T> native(const char* name, const std::string& refused, void (*run)(const Job<T>&, void*)) {
  return {name, refused, [run](const Job<T>& job) { run(job, Kokkos::Cuda().cuda_stream()); }};
}

template <class T>
std::vector<Variant<T>> device_variants(const Job<T>& job) {
  const std::string no = refuse(job);
  return {native<T>("copy", no, copy_cuda<T>),
          native<T>("naive", no, naive_cuda<T>),
          native<T>("tiled", no, tiled_cuda<T>),
          native<T>("padded", no, padded_cuda<T>),
          native<T>("diagonal", no, diagonal_cuda<T>),
          native<T>("diagonal-conflicts", no, diagonal_conflicts_cuda<T>),
          {"portable", no, portable<T, Kokkos::Cuda>},
          native<T>("tuned", no, tuned_cuda<T>),
          native<T>("vendor", no.empty() ? refuse_vendor_cuda(job) : no, vendor_cuda<T>)};
}

#endif

}  // namespace

using Host = Kokkos::DefaultHostExecutionSpace;
template <>
std::vector<Variant<float>> variants<float, Host>(const Job<float>& job) {
  return host_variants<float, Host>(job);
}
template <>
std::vector<Variant<double>> variants<double, Host>(const Job<double>& job) {
  return host_variants<double, Host>(job);
}
#if defined(KOKKOS_ENABLE_CUDA)
template <>
std::vector<Variant<float>> variants<float, Kokkos::DefaultExecutionSpace>(const Job<float>& job) {
  return device_variants(job);
}
template <>
std::vector<Variant<double>> variants<double, Kokkos::DefaultExecutionSpace>(const Job<double>& job) {
  return device_variants(job);
}
#endif

}  // namespace memstencil::transpose
