// Memory of the probes: asked for before it is allocated, and arrays with a pattern that shows what
// was copied.
#include "app/membench/core/memory.hpp"

#include "app/base/machine/machine_facts.hpp"
#include "app/base/machine/report_head.hpp"
#include "app/base/record/text_report.hpp"
#include "memory_spaces/capabilities.hpp"

#include <fmt/format.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <cstring>

namespace memstencil::membench {

void require_memory(const MemoryKind& kind, std::size_t bytes) {
  const std::size_t there = available_bytes(kind);
  if (bytes <= there) return;
  const std::string note = memory_of(kind.space, Executor::Device) == Memory::Gpu
                               ? page_cache_text(machine_facts())
                               : "";
  throw Failure(
      ExitCode::Machine,
      fmt::format("{} of {} memory are needed, and {} are available here{}; ask for "
                  "less by --size, --axis footprint or --axis side",
                  bytes_text(static_cast<double>(bytes)), name(kind.space),
                  bytes_text(static_cast<double>(there)), note.empty() ? "" : " (" + note + ")"));
}

void take_memory_from_node(int node) {
  constexpr std::size_t bits = sizeof(unsigned long) * CHAR_BIT;
  std::array<unsigned long, 1024 / bits> mask{};
  mask[static_cast<std::size_t>(node) / bits] = 1UL << (static_cast<std::size_t>(node) % bits);
  constexpr int bind = 2;  // MPOL_BIND of linux/mempolicy.h, which not every system has
  if (syscall(SYS_set_mempolicy, bind, mask.data(), 1024UL) == 0) return;
  if (errno == EINVAL)
    throw Failure(
        ExitCode::Machine,
        fmt::format("--numa {}: this process gets no memory from such a node; there are nodes {}",
                    node, first_line("/sys/devices/system/node/has_memory").value_or("0")));
  throw Failure(
      ExitCode::Machine,
      fmt::format(
          "--numa {}: the system refuses that memory is bound to a node (set_mempolicy: {}), as "
          "containers do: allow it (docker run --cap-add SYS_NICE), or leave --numa out",
          node, std::strerror(errno)));
}

const probes::PatternKernels& pattern_of(Executor executor) {
  return executor == Executor::Host ? probes::host_pattern() : probes::device_pattern();
}

std::uint64_t new_seed() {
  static std::uint64_t seed = 0;
  return ++seed << 40;
}

Array::Array(MemorySpace space, std::size_t bytes)
    : buffer_(space, bytes / sizeof(double) * sizeof(double)),
      owner_(home(space) == Home::Gpu ? Executor::Device : Executor::Host) {}

void Array::write(std::optional<Executor> by) {
  seed_ = new_seed();
  pattern_of(by.value_or(owner_)).write(data(), count(), 1, seed_);
}

void Array::verify_copied(const Array& from, const std::string& title,
                          std::optional<Executor> by) const {
  const std::size_t wrong = pattern_of(by.value_or(owner_)).wrong(data(), count(), 1, from.seed());
  verify(wrong == 0,
         fmt::format("{}: {} of {} elements are not what was copied", title, wrong, count()));
}

}  // namespace memstencil::membench
