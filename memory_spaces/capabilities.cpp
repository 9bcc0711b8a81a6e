// The capabilities of this machine that follow from the backend's table of memory spaces.
#include "memory_spaces/capabilities.hpp"

#include "memory_spaces/backend.hpp"
#include "memory_spaces/host_memory.hpp"

#include <algorithm>
#include <optional>

namespace memstencil {

const backend::Row* backend::row(const MemoryKind& kind) {
  const auto rows = table();
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const Row& each) {
    return each.space == kind.space && each.allocation == kind.allocation;
  });
  return found != rows.end() ? &*found : nullptr;
}
using backend::row;

std::vector<MemoryKind> all_memory_kinds() {
  std::vector<MemoryKind> kinds;
  for (const backend::Row& each : backend::table()) kinds.emplace_back(each.space, each.allocation);
  return kinds;
}

Support support(const MemoryKind& kind, Executor executor) {
  Support s{.allocation = {},
            .effective = std::string(built_for_gpu() ? name(kind.space) : "host"),
            .reason = backend::why_not_computing(executor)};
  if (s.reason.empty()) s.reason = why_not_allocation(kind);
  if (s.reason.empty()) s.reason = row(kind)->why_not(executor);
  s.served = s.reason.empty();
  if (!s.served) return s;
  s.allocation = row(kind)->call;
  if (kind.allocation == Allocation::Registered)
    s.allocation += ", " + std::string(name(kind.pages)) + " pages";
  return s;
}

std::string why_not_allocation(const MemoryKind& kind) {
  if (row(kind) != nullptr) return {};
  std::string there;
  for (const Allocation each : all_allocations)
    if (row({kind.space, each}) != nullptr)
      there += (there.empty() ? "" : " or ") + std::string(name(each));
  return "there is no such allocation of " + std::string(name(kind.space)) + " memory in " +
         (built_for_gpu() ? "CUDA" : "a build without GPU") + "; use --allocation " + there;
}

std::string why_not_pages(const MemoryKind& kind) {
  if (kind.pages == Pages::Default) return {};
  if (row(kind)->has_huge_pages) return host_memory::why_not_huge_pages();
  return "the driver chooses the page size of " + std::string(name(kind.space)) +
         " memory; --pages huge goes with --memspace system, or host-pinned and --allocation "
         "registered";
}

std::string why_not_prefetch(const MemoryKind& kind) {
  return row(kind)->why_not_moved(name(kind.space), std::nullopt);
}

std::string why_not_advice(const MemoryKind& kind, Advice advice) {
  if (advice == Advice::None) return {};
  return row(kind)->why_not_moved(name(kind.space), advice);
}

std::string why_not_oversubscribed(const MemoryKind& kind) {
  if (row(kind)->exceeds_gpu) return {};
  if (!built_for_gpu())
    return "there is no GPU's memory to exceed in this build; leave --oversubscribe out";
  return "only managed memory can exceed the GPU's; --oversubscribe goes with --memspace managed "
         "and --allocation default";
}

MemoryKind transfer_memory(Executor executor) {
  const Pages pages = host_memory::why_not_huge_pages().empty() ? Pages::Huge : Pages::Default;
  if (executor == Executor::Host) return {scratch_space(executor), Allocation::Default, pages};
  const MemoryKind registered{MemorySpace::HostPinned, Allocation::Registered, pages};
  return support(registered, executor).served ? registered : MemorySpace::HostPinned;
}

std::size_t available_bytes(const MemoryKind& kind) { return row(kind)->available(); }

}  // namespace memstencil
