// A tool of Kokkos for cli_tool_test.py: it writes what it is told of regions and memory into a
// file, in order.
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace {

std::FILE* told = nullptr;

struct Space {
  char name[64];
};

}  // namespace

extern "C" {
void kokkosp_init_library(int, std::uint64_t, std::uint32_t, void*) {
  told = std::fopen(std::getenv("MEMSTENCIL_TOLD"), "w");
}
void kokkosp_finalize_library() { std::fclose(told); }
void kokkosp_push_profile_region(const char* name) { std::fprintf(told, "push\t%s\n", name); }
void kokkosp_pop_profile_region() { std::fprintf(told, "pop\n"); }
void kokkosp_allocate_data(Space space, const char* label, const void* at, std::uint64_t bytes) {
  std::fprintf(told, "take\t%s\t%s\t%p\t%" PRIu64 "\n", space.name, label, at, bytes);
}
void kokkosp_deallocate_data(Space space, const char* label, const void* at, std::uint64_t bytes) {
  std::fprintf(told, "give\t%s\t%s\t%p\t%" PRIu64 "\n", space.name, label, at, bytes);
}
}
