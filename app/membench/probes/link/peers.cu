// Probes peers and gpus: copies between the memories of GPUs, every pair of them; and between GPUs
// and the host by one, two and more of them at once.
#include "app/membench/core/transfer.cuh"

#include <algorithm>
#include <deque>
#include <numeric>

namespace memstencil::membench {

namespace {

#ifdef MEMSTENCIL_CUDA
/// Arrays of the GPU that is current, and of the host for it.
struct Gpu {
  explicit Gpu(std::size_t of_bytes) : bytes(of_bytes) {
    host_from.write();
    copy(device_from.data(), host_from.data(), bytes);
  }
  std::size_t bytes;
  Array device_from{MemorySpace::Device, bytes}, device_to{MemorySpace::Device, bytes};
  Array host_from{MemorySpace::HostPinned, bytes}, host_to{MemorySpace::HostPinned, bytes};
};

using Gpus = std::deque<Gpu>;

/// Lets kernels of GPU `one` reach the memory of `other`. @return can they? @throws as check
bool connect(int one, int other) {
  int reaches = 0;
  check(cudaDeviceCanAccessPeer(&reaches, one, other), "cudaDeviceCanAccessPeer");
  if (reaches == 0) return false;
  const Current current(one);
  const cudaError_t enabled = cudaDeviceEnablePeerAccess(other, 0);
  if (enabled == cudaErrorPeerAccessAlreadyEnabled)
    cudaGetLastError();
  else
    check(enabled, "cudaDeviceEnablePeerAccess");
  return true;
}

std::unique_ptr<Gpus> make_gpus(std::size_t bytes) {
  const int count = gpu_count();
  for (int one = 0; one < count; ++one)
    for (int other = 0; other < count; ++other)
      if (one != other) connect(one, other);
  require_memory(MemorySpace::HostPinned, 2 * bytes * static_cast<std::size_t>(count));
  auto gpus = std::make_unique<Gpus>();
  for (int n = 0; n < count; ++n) {
    const Current current(n);
    gpus->emplace_back(bytes);
  }
  return gpus;
}

/// The first one's rate, while the others go on.
/// @param source the array that the first one copies
void measure(State& state, const std::vector<Transfer>& transfers, const Array& source) {
  const Array& arrived = *transfers.front().to;
  const std::size_t bytes = arrived.bytes();
  fill(arrived.data(), 0xFF, bytes);  // an earlier point left the same pattern
  constexpr int times = 8;
  state.rate(times, [&] { return transfer_seconds(transfers, times); });
  Array back(MemorySpace::HostPinned, bytes);
  copy(back.data(), arrived.data(), bytes);
  back.verify_copied(source, state.title());
}

void measure_pair(State& state, const Gpus& gpus) {
  const int own = state.integer("gpu"), peer = state.integer("peer");
  const std::string transfer = state.text("transfer");
  const bool pushed = transfer == "pushed";
  if (pushed && !connect(own, peer))
    state.leave_out("copies between GPUs by a kernel: GPU " + std::to_string(own) +
                    " does not reach the memory of GPU " + std::to_string(peer));
  const auto copy = [&](int from, int to) {
    return Transfer{&gpus[to].device_to, &gpus[from].device_from,
                    pushed ? Mover::Kernel : Mover::CopyEngine, from};
  };
  std::vector<Transfer> all{copy(own, peer)};
  if (transfer == "against the other way") all.push_back(copy(peer, own));
  measure(state, all, gpus[own].host_from);
}

void measure_at_once(State& state, const Gpus& gpus) {
  const int count = state.integer("gpus"), own = state.integer("gpu");
  const std::string transfer = state.text("transfer");
  const bool up = transfer.starts_with("host"), both = transfer.ends_with("the other way");
  std::vector<Transfer> all;
  for (int n = 0; n < count; ++n) {
    const int number = (own + n) % count;
    const Gpu& gpu = gpus[number];
    if (up || both) all.push_back({&gpu.device_to, &gpu.host_from, Mover::CopyEngine, number});
    if (!up || both) all.push_back({&gpu.host_to, &gpu.device_from, Mover::CopyEngine, number});
    if (n == 0 && both && !up) std::swap(all[0], all[1]);
  }
  measure(state, all, gpus[own].host_from);
}

template <void (*Measure)(State&, const Gpus&)>
void with_gpus(State& state, Shared<Gpus>& shared) {
  Measure(state, shared.of(state.text("bytes"), [&] { return make_gpus(whole_pairs(state)); }));
}
#endif

double counted_bytes(const Row& row) { return static_cast<double>(whole_pairs(row)); }

/// All GPUs together, and the slowest of them, if each was measured.
void sums(std::vector<Row>& rows, std::vector<Row>& more) {
  for (const Group& alike : groups(rows, {"bytes", "transfer", "gpus"})) {
    if (static_cast<double>(alike.rows.size()) != alike.like.number("gpus")) continue;
    const std::vector<double> gbs = alike.numbers("gbs");
    more.emplace_back(alike.like)
        .set({{"sum_gbs", std::accumulate(gbs.begin(), gbs.end(), 0.0)},
              {"least_gbs", std::ranges::min(gbs)}});
  }
}

/// A machine with this probe has two or more.
int gpus_here() { return std::max(gpu_count(), 2); }

}  // namespace

extern const Probe peers_probe{
    .name = "peers",
    .summary = "copies between every two GPUs",
    .source = "[nvbandwidth]",
    .counted = "bytes one way",
    .needs = Needs::Gpus,
    .axes = [](bool) -> std::vector<Axis> {
      const std::vector<double> all = counted_up(0, gpus_here() - 1);
      return {sizes("bytes", {256. * mib}),
              names("transfer", {"one way", "against the other way", "pushed"}),
              numbers("gpu", all), numbers("peer", all)};
    },
    .is_there = [](const Row& row, const auto&) { return *row.find("gpu") != *row.find("peer"); },
    .counted_bytes = counted_bytes,
    .start = MEMSTENCIL_WITH_CUDA(each_sharing<Shared<Gpus>, with_gpus<measure_pair>>),
    .notes =
        {"from gpu to peer, by the copy engine of gpu; pushed: by a kernel of gpu, which writes "
         "over the link; against the other way: the rate of this one copy, while the other goes "
         "on"},
    .sampling = {.warmups = 2, .fewest = 10, .most = 40}};

extern const Probe gpus_probe{
    .name = "gpus",
    .summary = "copies between the host and one, two and more GPUs at once",
    .source = "[nvbandwidth]",
    .counted = "bytes one way",
    .needs = Needs::Gpus,
    .axes = [](bool) -> std::vector<Axis> {
      return {sizes("bytes", {256. * mib}),
              names("transfer",
                    {"host to device", "device to host", "host to device against the other way",
                     "device to host against the other way"}),
              numbers("gpus", counted_up(1, gpus_here())),
              numbers("gpu", counted_up(0, gpus_here() - 1))};
    },
    .is_there = [](const Row& row, const auto&) { return row.number("gpu") < row.number("gpus"); },
    .counted_bytes = counted_bytes,
    .start = MEMSTENCIL_WITH_CUDA(each_sharing<Shared<Gpus>, with_gpus<measure_at_once>>),
    .derive = sums,
    .notes =
        {"gpus: so many copy at once, the first ones; gbs: the rate of one copy of this gpu, which "
         "begins after all others have and ends before they do",
         "pinned host memory lies where the process runs (--numa N)"},
    .sampling = {.warmups = 1, .fewest = 5, .most = 20}};

}  // namespace memstencil::membench
