// The link probe's transfers by a GPU: over the link, both ways at once, and inside device memory.
#include "app/membench/link/link_copies.hpp"
#include "kernels/probes/link.hpp"
#include "memory_spaces/capabilities.hpp"

#include <algorithm>

namespace memstencil::membench {

namespace {

/// So many one after the other make one sample that starting them does not count, but not so many that
/// short ones take long. `enough` bytes take about 10 ms.
int back_to_back(std::size_t bytes, std::size_t enough) {
  return static_cast<int>(std::clamp<std::size_t>(enough / bytes, 1, 16));
}
constexpr std::size_t enough_over_link = std::size_t{1} << 29;
constexpr std::size_t enough_in_device = std::size_t{1} << 33;

std::string name(probes::Mover mover) {
  return mover == probes::Mover::CopyEngine ? "copy engine" : "kernel";
}

probes::Transfer transfer_of(const Leg& leg, std::size_t bytes) {
  return {leg.to.data, leg.from.data, bytes / sizeof(double)};
}

/// @param counted_per_byte 1 over the link; 2, read and written, inside device memory
Copy one_way(const std::string& direction, const std::string& memory, const Leg& leg, std::size_t bytes,
             int counted_per_byte, probes::Mover mover) {
  const int times = back_to_back(bytes, counted_per_byte == 1 ? enough_over_link : enough_in_device);
  return {.direction = direction,
          .memory = memory,
          .by = name(mover),
          .legs = {leg},
          .bytes = bytes,
          .counted = counted_per_byte * static_cast<double>(bytes),
          .seconds = [transfer = transfer_of(leg, bytes), mover, times] {
            return probes::transfer_seconds(transfer, mover, times) / times;
          }};
}

Copy both_ways(const std::string& memory, const Leg& to_device, const Leg& to_host, std::size_t bytes,
               probes::Mover mover) {
  const int times = back_to_back(bytes, enough_over_link);
  return {.direction = "both",
          .memory = memory,
          .by = name(mover),
          .legs = {to_device, to_host},
          .bytes = bytes,
          .counted = 2.0 * static_cast<double>(bytes),
          .seconds = [up = transfer_of(to_device, bytes), down = transfer_of(to_host, bytes), mover, times] {
            return probes::transfer_seconds_at_once(up, down, mover, times) / times;
          }};
}

}  // namespace

std::vector<Copy> transfers(const ArrayPair& host, const ArrayPair& device, const std::string& memory,
                            std::size_t bytes, Kinds kinds) {
  using probes::Mover;
  const bool pinned = memory == "pinned";
  const bool all = kinds == Kinds::All;
  const bool kernel_reaches = pinned || support(MemorySpace::SystemAllocated, Executor::Device).served;
  const Leg up{host.first(), device.first()}, down{device.second(), host.second()};
  const Leg inside{device.first(), device.second()};
  std::vector<Copy> copies;
  for (const Mover mover : {Mover::CopyEngine, Mover::Kernel}) {
    const bool of_thesis = mover == Mover::CopyEngine;
    if (mover == Mover::CopyEngine || (all && kernel_reaches)) {
      copies.push_back(one_way("HtoD", memory, up, bytes, 1, mover));
      copies.push_back(one_way("DtoH", memory, down, bytes, 1, mover));
    }
    if (pinned && all) copies.push_back(both_ways(memory, up, down, bytes, mover));
    // Inside device memory the thesis copies by a kernel (list 4.2).
    if (pinned && (all || !of_thesis))
      copies.push_back(one_way("device copy", "device", inside, bytes, 2, mover));
  }
  return copies;
}

}  // namespace memstencil::membench
