// Memory of the probes, and the NUMA nodes that it comes from.
#include "app/membench/core/memory.hpp"

#include "app/base/machine/machine_facts.hpp"
#include "app/base/machine/provenance.hpp"
#include "app/base/machine/report_head.hpp"
#include "app/base/record/text_report.hpp"
#include "kernels/elapsed.hpp"
#include "memory_spaces/capabilities.hpp"
#include "memory_spaces/numa.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <latch>
#include <thread>

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

void require_access(State& state, const MemoryKind& kind, Executor by) {
  if (const std::string why = support(kind, by).reason; !why.empty())
    state.leave_out(fmt::format("{} memory by the {}: {}", state.text("memory"), name(by), why));
}

void require_pages(State& state, const MemoryKind& kind, std::size_t bytes) {
  std::string why = why_not_pages(kind);
  // 2 MiB over pages of 4 KiB, 512 MiB over pages of 64 KiB. A smaller array would be measured with
  // ordinary ones, under a name that is not theirs.
  const auto huge = first_line("/sys/kernel/mm/transparent_hugepage/hpage_pmd_size").value_or("0");
  if (why.empty() && kind.pages == Pages::Huge && bytes < std::stoull(huge))
    why = fmt::format("one has {} bytes here", huge);
  if (!why.empty())
    state.leave_out(
        fmt::format("{} memory, {} pages: {}", state.text("memory"), name(kind.pages), why));
}

namespace {

/// A line of a file about the system's NUMA nodes; `otherwise` if there is none.
std::string of_nodes(const std::string& file, const std::string& otherwise) {
  return first_line("/sys/devices/system/node/" + file).value_or(otherwise);
}

}  // namespace

std::vector<int> memory_nodes() { return numbers_listed(of_nodes("has_memory", "0")); }

std::vector<int> cpus_of_node(int node) {
  const std::vector<int> allowed = numbers_listed(cpus_at_start());
  std::vector<int> all = numbers_listed(of_nodes(fmt::format("node{}/cpulist", node), ""));
  std::erase_if(all, [&](int cpu) { return !std::ranges::binary_search(allowed, cpu); });
  return all;
}

double seconds_on(const std::vector<int>& cpus, std::size_t count, const probes::OfPart& of_part) {
  const std::size_t parts = cpus.size();
  // The clock starts before they do: on a busy host they may end before this thread goes on.
  std::latch ready(static_cast<std::ptrdiff_t>(parts)), begin(1);
  std::atomic<int> refused = -1;  // a CPU
  std::vector<std::jthread> threads;
  for (std::size_t n = 0; n < parts; ++n)
    threads.emplace_back([&, n] {
      CpuMask own{};
      CPU_SET_S(static_cast<std::size_t>(cpus[n]), sizeof own, own.data());
      if (sched_setaffinity(0, sizeof own, own.data()) != 0) refused = cpus[n];
      ready.count_down();
      begin.wait();
      of_part(count * n / parts, count * (n + 1) / parts);
    });
  ready.wait();
  const double seconds = host_seconds([&] {
    begin.count_down();
    threads.clear();  // waits for their ends
  });
  if (refused >= 0)
    throw Failure(ExitCode::Machine, fmt::format("no thread may run on CPU {}", refused.load()));
  return seconds;
}

void take_memory_from_node(int node) {
  const int error = bind_memory_to_node(node);
  if (error == 0) return;
  std::string why = "this process gets no memory from such a node; there are nodes " +
                    of_nodes("has_memory", "0");
  if (error != EINVAL)
    why = fmt::format(
        "the system refuses that memory is bound to a node (set_mempolicy: {}), as containers do: "
        "allow it (docker run --cap-add SYS_NICE), or leave --numa out",
        std::strerror(error));
  throw Failure(ExitCode::Machine, fmt::format("--numa {}: {}", node, why));
}

const probes::PatternKernels& pattern_of(Executor executor) {
  return executor == Executor::Host ? probes::host_pattern() : probes::device_pattern();
}

std::uint64_t new_seed() {
  static std::uint64_t seed = 0;
  return ++seed << 40;
}

Array::Array(const MemoryKind& kind, std::size_t bytes)
    : Buffer(kind, bytes / sizeof(double) * sizeof(double)),
      owner_(home(kind.space) == Home::Gpu ? Executor::Device : Executor::Host) {}

void Array::write(std::optional<Executor> by) {
  seed_ = new_seed();
  pattern_of(by.value_or(owner_)).write(data(), count(), 1, seed_);
}

std::uint64_t Array::sum() const { return pattern_of(owner_).sum(count(), seed_); }

void Array::verify_copied(const Array& from, const std::string& title,
                          std::optional<Executor> by) const {
  const probes::Pattern expected(from.seed(), from.count() < count() ? from.count() : 0);
  const std::size_t wrong = pattern_of(by.value_or(owner_)).wrong(data(), count(), 1, expected);
  verify(wrong == 0,
         fmt::format("{}: {} of {} elements are not what was copied", title, wrong, count()));
}

}  // namespace memstencil::membench
