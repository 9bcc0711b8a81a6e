// The capabilities of this machine that follow from the backend's table of memory spaces.
#include "memory_spaces/capabilities.hpp"

#include "memory_spaces/backend.hpp"
#include "memory_spaces/host_memory.hpp"

#include <algorithm>
#include <optional>

namespace memstencil {

const backend::Row& backend::row(MemorySpace space) {
  const auto rows = table();
  return *std::find_if(rows.begin(), rows.end(),
                       [&](const Row& each) { return each.space == space; });
}
using backend::row;

Support support(MemorySpace space, Executor executor) {
  Support s{.allocation = row(space).call,
            .effective = std::string(built_for_gpu() ? name(space) : "host"),
            .reason = backend::why_not_computing(executor)};
  if (s.reason.empty()) s.reason = row(space).why_not(executor);
  s.served = s.reason.empty();
  return s;
}

std::string why_not_pages(MemorySpace space, Pages pages) {
  if (pages == Pages::Default) return {};
  if (row(space).has_huge_pages) return host_memory::why_not_huge_pages();
  return "the driver chooses the page size of " + std::string(name(space)) +
         " memory; --pages huge goes with --memspace system";
}

std::string why_not_prefetch(MemorySpace space) {
  return row(space).why_not_moved(name(space), std::nullopt);
}

std::string why_not_advice(MemorySpace space, Advice advice) {
  if (advice == Advice::None) return {};
  return row(space).why_not_moved(name(space), advice);
}

std::string why_not_oversubscribed(MemorySpace space) {
  if (row(space).exceeds_gpu) return {};
  if (!built_for_gpu())
    return "there is no GPU's memory to exceed in this build; leave --oversubscribe out";
  return "only managed memory can exceed the GPU's; --oversubscribe goes with --memspace managed";
}

std::string why_not_automatic(MemorySpace space, Executor executor) {
  const auto why_not = row(space).why_not_automatic;
  return why_not != nullptr ? why_not(executor) : std::string();
}

std::size_t available_bytes(MemorySpace space) { return row(space).available(); }

}  // namespace memstencil
