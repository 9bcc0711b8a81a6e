// Probe link: copies inside host and device memory, and over the link between them
// ([tsukuba-thesis-2024], 4.1).
#include "app/membench/core/transfer.cuh"
#include "kernels/elapsed.hpp"
#include "kernels/host_caches.hpp"
#include "kernels/probes/arrays.hpp"

#include <algorithm>

namespace memstencil::membench {

namespace {

/// Inside a memory the bytes read and those written, over the link those of one way.
double counted_bytes(const Row& row) {
  const bool inside = row.text("direction").ends_with(" copy");
  return (inside ? 2.0 : 1.0) * static_cast<double>(whole_pairs(row));
}

/// Source and destination inside a memory, or this memory's part in copies over the link.
struct Pair {
  Pair(MemorySpace space, std::size_t bytes) : first(space, bytes), second(space, bytes) {
    first.write();
    second.write();
  }
  Array first, second;
};

/// The arrays of one size, of the host's memory that the row names and of the GPU's.
struct Bench {
  Shared<Pair> of_host, of_device;

  Pair& pair(State& state, bool device) {
    const MemorySpace host =
        state.is("memory", "pinned") ? MemorySpace::HostPinned : MemorySpace::SystemAllocated;
    const MemorySpace space = device ? MemorySpace::Device : host;
    return (device ? of_device : of_host).of(std::string(name(space)) + state.text("bytes"), [&] {
      const std::size_t bytes = whole_pairs(state);
      require_memory(device ? space : MemorySpace::SystemAllocated, 2 * bytes);
      return std::make_unique<Pair>(space, bytes);
    });
  }
};

/// `seconds` are of so many copies, one after the other.
void measure_copy(State& state, Array& from, Array& to, int times,
                  const std::function<double()>& seconds) {
  from.write();
  state.rate(times, seconds);
  to.verify_copied(from, state.title());
}

void copy_in_host_memory(State& state, Bench& bench) {
  const bool loop = state.is("by", "loop");
  if (!loop && !state.is("by", "vectorised")) state.leave_out();
  const auto copy = loop ? probes::host_copy_plain : probes::host_copy_vectorised;
  Pair& host = bench.pair(state, false);
  measure_copy(state, host.first, host.second, 1, [&] {
    return host_seconds([&] { copy(host.second.data(), host.first.data(), host.first.count()); });
  });
}

#ifdef MEMSTENCIL_CUDA
void copy_with_gpu(State& state, Bench& bench) {
  const std::string direction = state.text("direction");
  const bool against = direction.find("against") != std::string::npos;
  const bool by_kernel = state.is("by", "kernel"), inside = direction == "device copy";
  if (!by_kernel && !state.is("by", "copy engine")) state.leave_out();
  // With --paper the thesis' own copies: inside device memory by a kernel, over the link by engine.
  if (state.setup.paper && by_kernel != inside) state.leave_out();
  if (!inside && state.is("memory", "pageable")) {
    if (against) state.leave_out();
    if (by_kernel)
      if (const Support s = support(MemorySpace::SystemAllocated, Executor::Device); !s.served)
        state.leave_out("copies of pageable memory by a kernel: " + s.reason);
  }
  Pair& device = bench.pair(state, true);
  Pair& host = bench.pair(state, inside);
  // So many one after the other make one sample that starting them does not count, but not so many
  // that short ones take long. So many bytes take some milliseconds.
  const std::size_t enough = std::size_t{1} << (inside ? 33 : 27);
  const int times =
      static_cast<int>(std::clamp<std::size_t>(enough / device.first.buffer().bytes(), 1, 16));
  const Mover mover = !by_kernel ? Mover::CopyEngine
                      : against  ? Mover::KernelOnHalf
                                 : Mover::Kernel;
  const bool up = direction.starts_with("HtoD");
  Pair& source = up ? host : device;
  Pair& target = up ? device : host;
  std::vector<Transfer> transfers{{&target.second, &source.first, mover}};
  if (against) transfers.push_back({&source.second, &target.first, mover});
  measure_copy(state, source.first, target.second, times,
               [&] { return transfer_seconds(transfers, times); });
}
#else
void copy_with_gpu(State& state, Bench&) { state.leave_out(); }
#endif

Point start(const Setup&) {
  const auto bench = std::make_shared<Bench>();
  return [bench](State& state) {
    const bool host = state.is("direction", "host copy");
    if (gpu_count() == 0 && !(host && state.is("memory", "pageable"))) state.leave_out();
    if (state.is("direction", "device copy") != state.is("memory", "device")) state.leave_out();
    host ? copy_in_host_memory(state, *bench) : copy_with_gpu(state, *bench);
  };
}

/// [tsukuba-thesis-2024], 4.1: 4 GB and 8 GB, lists 4.1 to 4.3. Without a GPU there is no driver to
/// pin memory for.
std::vector<Axis> axes(bool paper) {
  const bool gpu = gpu_count() > 0;
  const std::string usual = paper ? "loop" : "vectorised", other = paper ? "vectorised" : "loop";
  std::vector<double> bytes{4e9, 8e9};
  std::vector<std::string> memories{"pinned", "pageable", "device"},
      directions{"host copy", "device copy", "HtoD", "DtoH"};
  if (paper && gpu) std::erase(memories, "pageable");
  if (!paper) {
    bytes.clear();
    for (std::size_t n = gpu ? 4 * kib : mib; n <= 256 * mib; n *= gpu ? 4 : 16)
      bytes.push_back(static_cast<double>(n));
    // Both arrays four times the last cache of the host, which keeps a part of less.
    bytes.push_back(static_cast<double>(std::max(gib, 2 * host_caches().last_level)));
    directions.insert(directions.end(), {"HtoD against DtoH", "DtoH against HtoD"});
  }
  return {sizes("bytes", bytes), names("memory", memories), names("direction", directions),
          names("by", {usual, "copy engine", "kernel"}, {other})};
}

}  // namespace

extern const Probe link_probe{
    .name = "link",
    .summary = "copies inside host and device memory, and over the link between them",
    .source = "[tsukuba-thesis-2024], 4.1, lists 4.1-4.3",
    .counted = "bytes read + written inside a memory, bytes one way over the link",
    .needs = Needs::Host,
    .axes = axes,
    .counted_bytes = counted_bytes,
    .start = start,
    .notes = {"HtoD against DtoH: the rate of HtoD alone, while copies go on the other way",
              "kernel: a thread moves 16 bytes", "vectorised: stores past the caches",
              "loop (usual with --paper): the thesis' own, compiled without optimisation"},
    .sampling = {.warmups = 2, .fewest = 20, .most = 40},
    .paper_repeats = 200,
    .paper_experiments = 10};

}  // namespace memstencil::membench
