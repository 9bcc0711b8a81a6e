// The backend of a host-only build: all four spaces are host memory, and say so.
#include "memory_spaces/backend.hpp"
#include "memory_spaces/capabilities.hpp"
#include "memory_spaces/host_memory.hpp"
#include "memory_spaces/movement.hpp"
#include "memory_spaces/pinned_pages.hpp"

#include <cstring>

namespace memstencil {

namespace {
constexpr const char* no_gpu = "this build has no GPU backend";
}

namespace backend {

void* allocate(MemorySpace, std::size_t bytes, Pages pages) {
  return host_memory::allocate(bytes, pages);
}
void release(MemorySpace, void* data, std::size_t bytes) noexcept {
  host_memory::release(data, bytes);
}
bool host_accessible(MemorySpace) { return true; }

}  // namespace backend

PinnedPages::PinnedPages(const Buffer& buffer) : pinned_(buffer.data()) {}
PinnedPages::~PinnedPages() = default;

bool built_for_gpu() { return false; }
std::string gpu_backend() { return "none"; }

int gpu_count(std::string* why) {
  if (why != nullptr) *why = no_gpu;
  return 0;
}

void select_gpu(int) {}

Support support(MemorySpace, Executor executor) {
  Support s;
  s.allocation = "anonymous pages of host memory";
  s.effective = "host";
  s.served = executor == Executor::Host;
  if (!s.served) s.reason = std::string(no_gpu) + "; use --exec host, or build with --preset cuda";
  return s;
}

MemorySpace scratch_space(Executor) { return MemorySpace::SystemAllocated; }

bool reached_over_link(MemorySpace, Executor) { return false; }
bool takes_gpu_memory(MemorySpace, Executor) { return false; }

std::string refuse_pages(MemorySpace, Pages pages) {
  return pages == Pages::Huge ? host_memory::refuse_huge_pages() : std::string();
}
std::string refuse_prefetch(MemorySpace) {
  return std::string("there is nowhere to prefetch to: ") + no_gpu + "; leave --prefetch out";
}
std::string refuse_advice(MemorySpace, Advice advice) {
  if (advice == Advice::None) return {};
  return std::string("there is no driver to advise: ") + no_gpu + "; leave --advise out";
}

std::string refuse_oversubscription(MemorySpace) {
  return std::string("there is no GPU's memory to exceed: ") + no_gpu +
         "; leave --oversubscribe out";
}
std::string refuse_without_ats(MemorySpace, Executor) { return {}; }

std::size_t available_bytes(MemorySpace) { return host_memory::available_bytes(); }

GpuFacts gpu_facts() { return {}; }

void copy(void* to, const void* from, std::size_t bytes) { std::memcpy(to, from, bytes); }

void start_copy(void* to, const void* from, std::size_t bytes, void*) { copy(to, from, bytes); }

void start_copy(void* to, std::size_t to_step, const void* from, std::size_t from_step,
                const Pieces& pieces, void*) {
  for (std::size_t n = 0; n < pieces.count; ++n)
    copy(static_cast<char*>(to) + n * to_step, static_cast<const char*>(from) + n * from_step,
         pieces.bytes);
}

void fill(void* to, unsigned char byte, std::size_t bytes) { std::memset(to, byte, bytes); }

void prefetch(const Buffer& buffer, Executor) {
  throw UnsupportedSpace(refuse_prefetch(buffer.space()));
}

void advise(const Buffer& buffer, Advice advice, Executor) {
  if (const std::string reason = refuse_advice(buffer.space(), advice); !reason.empty())
    throw UnsupportedSpace(reason);
}

}  // namespace memstencil
