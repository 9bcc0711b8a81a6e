// All transposes, and the reasons why some of them cannot do a job here.
#include "kernels/transpose/variants.hpp"

#include "kernels/on_host.hpp"
#include "kernels/portable.hpp"
#include "kernels/queue.hpp"

#include <Kokkos_Core.hpp>

#include <span>
#include <stdexcept>

namespace memstencil::transpose {
namespace {

constexpr const char* needs_gpu = "needs a GPU: it is native CUDA";

bool runs_on_host(Variant variant) {
  return variant == Variant::Copy || variant == Variant::Naive || variant == Variant::Portable;
}

template <class Exec, class T>
std::string why_not(Variant variant, const Job<T>& job) {
  if (on_host<Exec> && !runs_on_host(variant)) return needs_gpu;
  if (job.tile != 32 && variant != Variant::Copy && (on_host<Exec> || !has_tiles(variant)))
    return std::string(no_choice_of_tiles);
  if constexpr (!on_host<Exec>)
    if (variant == Variant::Vendor) return why_not_vendor_cuda(job);
  return {};
}

}  // namespace

std::string_view name(Variant variant) {
  constexpr std::array names{
      "copy", "naive", "tiled", "padded", "diagonal", "diagonal-conflicts", "portable", "vendor"};
  return names.at(static_cast<std::size_t>(variant));
}

template <class Exec, class T>
std::vector<OfferedVariant> variants_offered(const Job<T>& job) {
  std::vector<OfferedVariant> out;
  for (const Variant variant : all_variants) out.push_back({variant, why_not<Exec>(variant, job)});
  return out;
}

template <class Exec, class T>
void run(const Exec& exec, Variant variant, const Job<T>& job) {
  if (variant == Variant::Portable) return portable(exec, std::span<const Job<T>>(&job, 1));
  if constexpr (on_host<Exec>) {
    if (variant == Variant::Copy) return copy_host(exec, job);
    if (variant == Variant::Naive) return naive_host(exec, job);
    throw std::invalid_argument(std::string(name(variant)) + ": " + needs_gpu);
  } else {
    void* const stream = stream_of(exec);
    if (variant == Variant::Copy) return copy_cuda(job, stream);
    if (variant == Variant::Vendor) return vendor_cuda(job, stream);
    thesis_cuda(variant, job, stream);
  }
}

template <class Exec, class T>
void run_together(const Exec& exec, Variant variant, const std::vector<Job<T>>& jobs) {
  if (variant == Variant::Portable)
    return portable(exec, std::span<const Job<T>>(jobs.data(), jobs.size()));
  for (const Job<T>& job : jobs) run(exec, variant, job);
}

#define MEMSTENCIL_INSTANTIATE(Exec)                                                \
  template std::vector<OfferedVariant> variants_offered<Exec>(const Job<float>&);   \
  template std::vector<OfferedVariant> variants_offered<Exec>(const Job<double>&);  \
  template void run(const Exec&, Variant, const Job<float>&);                       \
  template void run(const Exec&, Variant, const Job<double>&);                      \
  template void run_together(const Exec&, Variant, const std::vector<Job<float>>&); \
  template void run_together(const Exec&, Variant, const std::vector<Job<double>>&);
MEMSTENCIL_FOR_EXECUTION_SPACES(MEMSTENCIL_INSTANTIATE)
#undef MEMSTENCIL_INSTANTIATE

}  // namespace memstencil::transpose
