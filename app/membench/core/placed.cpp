// Source and destination of a copy, each placed by the first touch of an executor, and where their
// pages are.
#include "app/membench/core/placed.hpp"

#include "app/base/runtime/clock.hpp"
#include "app/membench/core/machine.hpp"
#include "app/membench/core/settling.hpp"
#include "memory_spaces/capabilities.hpp"
#include "memory_spaces/movement.hpp"
#include "memory_spaces/residency.hpp"

namespace memstencil::membench {

namespace {

std::size_t bytes_of(State& state) {
  for (const MemorySpace space : {MemorySpace::SystemAllocated, MemorySpace::Device})
    require_memory(space, 2 * state.bytes());
  return state.bytes();
}

}  // namespace

Placed::Placed(State& state, Advice advice)
    : paper_(state.setup.paper),
      source_(memory_of(state), bytes_of(state), Executor::Device),
      destination_(memory_of(state), bytes_of(state), Executor::Device) {
  advise(source_.buffer(), advice, Executor::Device);
  if (advice != Advice::ReadMostly) advise(destination_.buffer(), advice, Executor::Device);
}

void Placed::touch(Executor source, Executor destination) {
  source_.write(source);
  destination_.write(destination);
}

double Placed::copy(Executor by) {
  const CopyArray copies = copy_by(by, paper_);
  return 2 * gigabytes() /
         host_seconds([&] { copies(destination_.data(), source_.data(), source_.count()); });
}

double Placed::prefetch(Executor to) {
  return host_seconds([&] {
    memstencil::prefetch(source_.buffer(), to);
    memstencil::prefetch(destination_.buffer(), to);
  });
}

void Placed::verify(const std::string& title, Executor by) {
  destination_.write(by);
  copy(by);
  destination_.verify_copied(source_, title, by);
}

Places Placed::places() const {
  Places out{.known = true};
  const int gpu_node = gpu_facts().numa_id;
  double all = 0;
  for (Array* array : {&source_, &destination_}) {
    const Residency told = residency(array->buffer(), 4096);
    out.known = out.known && told.known;
    out.not_mapped += static_cast<double>(told.absent);
    for (const auto& [node, pages] : told.pages_on_node)
      (gpu_node >= 0 && node == gpu_node ? out.gpu : out.host) += static_cast<double>(pages);
    all += static_cast<double>(told.sampled);
  }
  for (double* share : {&out.host, &out.gpu, &out.not_mapped}) *share /= std::max(all, 1.0);
  return out;
}

MemorySpace memory_of(State& state) {
  const MemorySpace space = *memory_space_from_name(state.text("memory"));
  if (const Support s = support(space, Executor::Device); !s.served)
    state.leave_out(state.text("memory") + " memory: " + s.reason);
  return space;
}

void add_settling(State& state, std::span<const double> series) {
  const Settling settled = settling(series);
  state.add("first_gbs", settled.first);
  state.add("steady_gbs", settled.steady);
  state.add("steady_repeat", static_cast<double>(settled.repeat.value_or(0)));
}

void add_places(State& state, const Places& before, const Places& after) {
  if (!before.known || !after.known) {
    state.note("the places of pages are not known here");
    return;
  }
  state.add("host_share_before", before.host);
  state.add("host_share_after", after.host);
  if (gpu_facts().numa_id >= 0) {
    state.add("gpu_share_before", before.gpu);
    state.add("gpu_share_after", after.gpu);
    return;
  }
  state.add("not_mapped_share_after", after.not_mapped);
  state.note(
      "the GPU is no NUMA node here: pages that the host has not mapped are at the GPU, or "
      "have not been touched");
}

Axis array_bytes(bool paper) {
  return sizes("bytes", paper ? std::vector<double>{4e9, 8e9} : std::vector<double>{1. * gib});
}

Axis moving_memory(bool both) {
  const bool system =
      gpu_count() > 0 && support(MemorySpace::SystemAllocated, Executor::Device).served;
  if (!system) return names("memory", {"managed"}, {"system"});
  if (both) return names("memory", {"system", "managed"});
  return names("memory", {"system"}, {"managed"});
}

}  // namespace memstencil::membench
