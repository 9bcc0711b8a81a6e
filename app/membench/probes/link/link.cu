// Probe link: copies inside host and device memory and over the link between them
// ([tsukuba-thesis-2024], 4.1), and reads and writes alone, of each memory by CPU and GPU.
#include "app/membench/core/transfer.cuh"
#include "kernels/elapsed.hpp"
#include "kernels/host_caches.hpp"
#include "kernels/probes/arrays.hpp"
#include "memory_spaces/movement.hpp"
#include "memory_spaces/numa.hpp"
#include "memory_spaces/residency.hpp"

#include <algorithm>
#include <atomic>

namespace memstencil::membench {

namespace {

/// Inside a memory the bytes read and written; over the link, or of a read or a write alone, the
/// bytes of one way.
double counted_bytes(const Row& row) {
  const bool inside = row.text("direction").ends_with(" copy");
  return (inside ? 2.0 : 1.0) * static_cast<double>(whole_pairs(row));
}

const std::string node_ = "node ", cpus_of_ = "CPUs of node ";

/// The number behind one of these words; -1 if the text begins otherwise.
int number_behind(const std::string& word, const std::string& text) {
  return text.starts_with(word) ? std::stoi(text.substr(word.size())) : -1;
}

/// The memory of a row. A GPU reaches the memory of a node where it lies: by the host's page
/// tables, or pinned.
MemoryKind kind_of(const Row& row) {
  const std::string memory = row.text("memory");
  const bool node = memory.starts_with(node_), huge = memory.ends_with(" huge");
  const bool pageable = node ? gpu_count() == 0 || gpu_facts().uses_host_page_tables != 0
                             : memory.starts_with("pageable");
  if (memory == "device") return MemorySpace::Device;
  const Allocation by = huge && !pageable ? Allocation::Registered : Allocation::Default;
  return {pageable ? MemorySpace::SystemAllocated : MemorySpace::HostPinned, by,
          huge ? Pages::Huge : Pages::Default};
}

/// Source and destination inside a memory, or this memory's part in copies over the link.
struct Pair {
  /// @param node that the pages are to lie on, so that this thread touches them first; -1: none
  Pair(const MemoryKind& kind, std::size_t bytes, int node)
      : first(kind, bytes), second(kind, bytes) {
    if (node >= 0)
      for (const Array* each : {&first, &second}) std::fill_n(each->data(), each->count(), 0.0);
    first.write();
    second.write();
  }
  Array first, second;
};

/// The arrays of one size, of the memory that the row names and of the GPU's.
struct Bench {
  Shared<Pair> of_host, of_device;

  Pair& pair(State& state, bool device) {
    const MemoryKind kind = device ? MemoryKind(MemorySpace::Device) : kind_of(state);
    const std::size_t bytes = whole_pairs(state);
    if (const std::string why = why_not_allocation(kind); !why.empty())
      state.leave_out(state.text("memory") + " memory: " + why);
    require_pages(state, kind, bytes);
    const std::string key = device ? "" : state.text("memory");
    return (device ? of_device : of_host).of(key + state.text("bytes"), [&] {
      require_memory(device ? kind : MemorySpace::SystemAllocated, 2 * bytes);
      return std::make_unique<Pair>(kind, bytes, device ? -1 : number_behind(node_, key));
    });
  }
};

/// `seconds` are of `times` copies, one after the other.
void measure_copy(State& state, Array& from, Array& to, int times,
                  const std::function<double()>& seconds) {
  from.write();
  state.rate(times, seconds);
  to.verify_copied(from, state.title());
}

void copy_in_host_memory(State& state, Bench& bench) {
  const auto copy = state.is("by", "loop") ? probes::host_copy_plain : probes::host_copy_vectorised;
  Pair& host = bench.pair(state, false);
  measure_copy(state, host.first, host.second, 1, [&] {
    return host_seconds([&] { copy(host.second.data(), host.first.data(), host.first.count()); });
  });
}

/// Operations in one sample: enough that starting them does not count, and few enough that short
/// ones do not take long. `enough` bytes take some milliseconds.
int times_of(std::size_t bytes, bool on_device) {
  const std::size_t enough = std::size_t{1} << (on_device ? 33 : 27);
  return static_cast<int>(std::clamp<std::size_t>(enough / bytes, 1, 16));
}

#ifdef MEMSTENCIL_CUDA
void copy_with_gpu(State& state, Bench& bench) {
  const std::string direction = state.text("direction");
  const bool against = direction.find("against") != std::string::npos;
  const bool by_kernel = state.is("by", "kernel"), inside = direction == "device copy";
  // With --paper the thesis' own copies: inside device memory by a kernel, over the link by engine.
  if (state.setup.paper && by_kernel != inside) state.leave_out();
  if (by_kernel && !inside) require_access(state, kind_of(state), Executor::Device);
  if (against && gpu_attribute(cudaDevAttrAsyncEngineCount) < 2 && !by_kernel)
    state.leave_out(direction + " by copy engines: this GPU has one");
  Pair& device = bench.pair(state, true);
  Pair& host = inside ? device : bench.pair(state, false);
  const int times = times_of(device.first.bytes(), inside);
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

double seconds_by_gpu(bool read, const Array& array, const Array& sum, const Array& block,
                      int times) {
  const Transfer one =
      read ? Transfer{&sum, &array, Mover::Reader} : Transfer{&array, &block, Mover::Writer};
  return transfer_seconds({one}, times);
}
#else
void copy_with_gpu(State& state, Bench&) { state.leave_out(); }
double seconds_by_gpu(bool, const Array&, const Array&, const Array&, int) { return 0; }
#endif

/// Seconds of a read, whose words are added to the first of `sum`, or of a write, by those CPUs, or
/// by all threads if none is named.
double seconds_by_host(bool read, const Array& array, const Array& sum, const Array& block,
                       const std::vector<int>& cpus) {
  const std::atomic_ref all(*reinterpret_cast<std::uint64_t*>(sum.data()));
  const auto part = [&](std::size_t begin, std::size_t end) {
    if (read)
      all += probes::add_words(array.data(), begin, end);
    else
      probes::repeat_block(array.data(), block.data(), begin, end);
  };
  if (!cpus.empty()) return seconds_on(cpus, array.count(), part);
  return host_seconds([&] { probes::on_host_threads(array.count(), part); });
}

/// The share of pages that lie on the node; of all of the host's nodes for -1. Nothing if the
/// system does not tell. System pages that it does not find have been written: a GPU has them.
std::optional<double> share_on(int node, const Array& array) {
  const Residency found = residency(array, 4096);
  const bool system = array.space() == MemorySpace::SystemAllocated;
  if (!found.known || (!system && found.absent > 0)) return {};
  std::size_t there = 0;
  for (const auto& [number, pages] : found.pages_on_node)
    if (node < 0 ? number != gpu_facts().numa_id : number == node) there += pages;
  return static_cast<double>(there) / static_cast<double>(found.sampled);
}

void read_or_write(State& state, Bench& bench) {
  const bool read = state.is("direction", "read"), by_gpu = state.is("by", "kernel");
  const bool device = state.is("memory", "device");
  const int node = number_behind(node_, state.text("memory"));
  const int node_of_cpus = number_behind(cpus_of_, state.text("by"));
  const Executor by = by_gpu ? Executor::Device : Executor::Host;
  require_access(state, kind_of(state), by);
  std::optional<MemoryFromNode> from_node;
  if (node >= 0 && from_node.emplace(node).error() != 0)
    state.leave_out(state.text("memory") + ": this process gets no memory from it");
  Array& array = bench.pair(state, device).first;
  from_node.reset();
  const std::optional<double> before = share_on(node, array);
  if (node >= 0 && before && *before < 0.99)
    state.leave_out(state.text("memory") + ": pages that are asked of it do not lie there");
  const MemorySpace own = by_gpu ? MemorySpace::Device : scratch_space(Executor::Host);
  Array block(own, probes::block_count * sizeof(double)), sum(own, 2 * sizeof(double));
  array.write();
  block.write();
  fill(sum.data(), 0, sum.bytes());
  const std::vector<int> cpus = node_of_cpus < 0 ? std::vector<int>() : cpus_of_node(node_of_cpus);
  const int times = by_gpu ? times_of(array.bytes(), device) : 1;
  std::uint64_t passes = 0, added = 0;
  state.rate(times, [&] {
    passes += static_cast<std::uint64_t>(times);
    return by_gpu ? seconds_by_gpu(read, array, sum, block, times)
                  : seconds_by_host(read, array, sum, block, cpus);
  });
  copy(&added, sum.data(), sizeof added);
  const std::string wrong = state.title() + ": the sum of the words read is wrong";
  read ? verify(added == passes * array.sum(), wrong) : array.verify_copied(block, state.title());
  if (const std::optional<double> after = share_on(node, array); before && after) {
    state.add("in_place_before", *before);
    state.add("in_place_after", *after);
  }
}

void measure_link(State& state, Bench& bench) {
  const std::string direction = state.text("direction");
  if (direction == "read" || direction == "write") return read_or_write(state, bench);
  direction == "host copy" ? copy_in_host_memory(state, bench) : copy_with_gpu(state, bench);
}

/// Nodes at the largest size alone. Without a GPU there is no driver to pin memory for.
bool is_there(const Row& row, const std::vector<Axis>& axes) {
  const std::string memory = row.text("memory"), direction = row.text("direction"),
                    by = row.text("by");
  const bool device = memory == "device", node = memory.starts_with(node_),
             alone = direction == "read" || direction == "write", host = direction == "host copy",
             cpus = by.starts_with(cpus_of_), threads = by == "vectorised" || by == "loop",
             pageable = memory.starts_with("pageable");
  if (gpu_count() == 0 && (!(pageable || node) || !(host || alone) || !(threads || cpus)))
    return false;
  if (node || cpus)
    return node && alone && (cpus || by == "kernel") &&
           *row.find("bytes") == std::ranges::max(axes.front().values);
  if (alone) return by == "vectorised" || by == "kernel";
  if (device != (direction == "device copy") || host != threads) return false;
  return direction.find("against") == std::string::npos || memory == "pinned";
}

/// [tsukuba-thesis-2024], 4.1: 4 GB and 8 GB, lists 4.1 to 4.3.
std::vector<Axis> axes(bool paper) {
  const bool gpu = gpu_count() > 0;
  const std::string usual = paper ? "loop" : "vectorised", other = paper ? "vectorised" : "loop";
  std::vector<double> bytes{4e9, 8e9};
  std::vector<std::string> memories{"pinned", "pageable", "device"},
      directions{"host copy", "device copy", "HtoD", "DtoH"}, by{usual, "copy engine", "kernel"},
      more_memories;
  if (paper && gpu) std::erase(memories, "pageable");
  if (!paper) {
    bytes.clear();
    for (std::size_t n = gpu ? 4 * kib : mib; n <= 256 * mib; n *= gpu ? 4 : 16)
      bytes.push_back(static_cast<double>(n));
    // Both arrays four times the last cache of the host, which keeps a part of less.
    bytes.push_back(static_cast<double>(std::max(gib, 2 * host_caches().last_level)));
    directions.insert(directions.end(),
                      {"HtoD against DtoH", "DtoH against HtoD", "read", "write"});
    memories.insert(memories.end(), {"pinned huge", "pageable huge"});
    const std::vector<int> nodes = memory_nodes();
    for (const int node : nodes) {  // one is the whole host: measured if asked for
      const std::string number = std::to_string(node);
      (nodes.size() > 1 ? memories : more_memories).push_back(node_ + number);
      if (!cpus_of_node(node).empty()) by.push_back(cpus_of_ + number);
    }
  }
  return {sizes("bytes", bytes), names("memory", memories, more_memories),
          names("direction", directions), names("by", by, {other})};
}

}  // namespace

extern const Probe link_probe{
    .name = "link",
    .summary = "copies in host and device memory and over the link, and reads and writes alone",
    .source = "[tsukuba-thesis-2024], 4.1, lists 4.1-4.3",
    .counted = "bytes read + written inside a memory, otherwise bytes one way",
    .needs = Needs::Host,
    .axes = axes,
    .is_there = is_there,
    .counted_bytes = counted_bytes,
    .start = each_sharing<Bench, measure_link>,
    .notes =
        {"HtoD against DtoH: the rate of HtoD alone, while copies go on the other way",
         "kernel: a thread moves 16 bytes", "vectorised: stores past the caches",
         "loop: the thesis' own (usual with --paper), compiled without optimisation",
         "read, write: nothing else moves; in_place_before, in_place_after: the share of pages "
         "that lie in the host's memory, or on the node, where the system tells"},
    .sampling = {.warmups = 2, .fewest = 20, .most = 40},
    .paper_repeats = 200,
    .paper_experiments = 10};

}  // namespace memstencil::membench
