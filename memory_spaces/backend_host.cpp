// The backend of a host-only build: all four spaces are host memory, and say so.
#include "memory_spaces/backend.hpp"
#include "memory_spaces/capabilities.hpp"
#include "memory_spaces/host_memory.hpp"
#include "memory_spaces/movement.hpp"

#include <array>
#include <cstring>

namespace memstencil {

namespace {

constexpr const char* no_gpu = "this build has no GPU backend";

std::string nothing_moves(std::string_view, std::optional<Advice> advice) {
  return advice
             ? std::string("there is no driver to advise: ") + no_gpu + "; leave --advise out"
             : std::string("there is nowhere to prefetch to: ") + no_gpu + "; leave --prefetch out";
}

constexpr auto rows = [] {
  std::array<backend::Row, all_memory_spaces.size()> out{};
  for (std::size_t n = 0; n < out.size(); ++n)
    out[n] = {.space = all_memory_spaces[n],
              .call = "anonymous pages of host memory",
              .allocate = host_memory::allocate,
              .release = host_memory::release,
              .available = host_memory::available_bytes,
              .why_not = [](Executor) { return std::string(); },
              .why_not_moved = nothing_moves,
              .has_huge_pages = true};
  return out;
}();

}  // namespace

namespace backend {
std::span<const Row> table() { return rows; }

std::string why_not_computing(Executor executor) {
  if (executor == Executor::Host) return {};
  return std::string(no_gpu) + "; use --exec host, or build with --preset cuda";
}
}  // namespace backend

bool built_for_gpu() { return false; }
std::string gpu_backend() { return "none"; }

int gpu_count(std::string* why) {
  if (why != nullptr) *why = no_gpu;
  return 0;
}

void select_gpu(int) {}

GpuFacts gpu_facts() { return {}; }

void copy(void* to, const void* from, std::size_t bytes) { std::memcpy(to, from, bytes); }

void start_copy(void* to, std::size_t to_step, const void* from, std::size_t from_step,
                const Pieces& pieces, void*) {
  for (std::size_t n = 0; n < pieces.count; ++n)
    copy(static_cast<char*>(to) + n * to_step, static_cast<const char*>(from) + n * from_step,
         pieces.bytes);
}

void fill(void* to, unsigned char byte, std::size_t bytes) { std::memset(to, byte, bytes); }

void prefetch(const Buffer& buffer, Executor) {
  throw UnsupportedSpace(why_not_prefetch(buffer.kind()));
}

void advise(const Buffer& buffer, Advice advice, Executor) {
  if (const std::string reason = why_not_advice(buffer.kind(), advice); !reason.empty())
    throw UnsupportedSpace(reason);
}

}  // namespace memstencil
