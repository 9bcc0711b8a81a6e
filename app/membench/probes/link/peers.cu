// Probe peers: copies between the memories of GPUs, every pair of them, and of all GPUs to the host
// and back at once.
#include "app/membench/core/transfer.cuh"

namespace memstencil::membench {

namespace {

#ifdef MEMSTENCIL_CUDA
/// Arrays of the GPU that is current, and of the host for it.
struct Gpu {
  explicit Gpu(std::size_t bytes)
      : device_from(MemorySpace::Device, bytes),
        device_to(MemorySpace::Device, bytes),
        host_from(MemorySpace::HostPinned, bytes),
        host_to(MemorySpace::HostPinned, bytes) {
    host_from.write();
    copy(device_from.data(), host_from.data(), bytes);
  }
  Array device_from, device_to, host_from, host_to;
};

using Gpus = std::vector<std::unique_ptr<Gpu>>;

void connect(int one, int other) {
  int reaches = 0;
  check(cudaDeviceCanAccessPeer(&reaches, one, other), "cudaDeviceCanAccessPeer");
  if (reaches == 0) return;
  const Current current(one);
  const cudaError_t enabled = cudaDeviceEnablePeerAccess(other, 0);
  if (enabled == cudaErrorPeerAccessAlreadyEnabled)
    cudaGetLastError();
  else
    check(enabled, "cudaDeviceEnablePeerAccess");
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
    gpus->push_back(std::make_unique<Gpu>(bytes));
  }
  return gpus;
}

/// The first is measured; the others go on beside it.
std::vector<Transfer> transfers_of(State& state, const Gpus& gpus) {
  const int own = state.integer("gpu"), peer = state.integer("peer");
  const auto count = static_cast<int>(gpus.size());
  const std::string transfer = state.text("transfer");
  if (own >= count || peer >= count || transfer.starts_with("all") != (own == peer))
    state.leave_out();
  const Gpu& from = *gpus[static_cast<std::size_t>(own)];
  const Gpu& to = *gpus[static_cast<std::size_t>(peer)];
  std::vector<Transfer> all;
  const auto add = [&all](const Array& target, const Array& source, int gpu) {
    all.push_back({&target, &source, Mover::CopyEngine, gpu});
  };
  if (own != peer) add(to.device_to, from.device_from, own);
  if (transfer == "against the other way") add(from.device_to, to.device_from, own);
  for (int n = 0; own == peer && n < count; ++n) {
    const int number = (own + n) % count;
    const Gpu& gpu = *gpus[static_cast<std::size_t>(number)];
    const bool up = transfer == "all to device";
    add(up ? gpu.device_to : gpu.host_to, up ? gpu.host_from : gpu.device_from, number);
  }
  return all;
}

Point start(const Setup&) {
  const auto shared = std::make_shared<Shared<Gpus>>();
  return [shared](State& state) {
    const std::size_t bytes = state.bytes() / 16 * 16;
    const Gpus& gpus = shared->of(state.text("bytes"), [&] { return make_gpus(bytes); });
    const std::vector<Transfer> transfers = transfers_of(state, gpus);
    fill(transfers.front().to->data(), 0xFF, bytes);  // an earlier point left the same pattern
    constexpr int times = 8;
    state.sample("gbs", [&] {
      return 1e-9 * times * static_cast<double>(bytes) / transfer_seconds(transfers, times);
    });
    // All sources hold the pattern of their GPU's host_from.
    Array back(MemorySpace::HostPinned, bytes);
    copy(back.data(), transfers.front().to->data(), bytes);
    back.verify_copied(gpus[static_cast<std::size_t>(state.integer("gpu"))]->host_from,
                       state.title());
  };
}
#endif

/// All GPUs together.
void sums(std::vector<Row>& rows, std::vector<Row>& more) {
  for (const Group& alike : groups(rows, {"bytes", "transfer"})) {
    if (!alike.like.text("transfer").starts_with("all")) continue;
    double sum = 0;
    for (const Row* row : alike.rows) sum += row->number("gbs");
    more.push_back(alike.like);
    more.back().set("sum_gbs", sum);
  }
}

}  // namespace

extern const Probe peers_probe{
    .name = "peers",
    .summary = "copies between every two GPUs, and between all GPUs and the host at once",
    .source = "[nvbandwidth]",
    .counted = "bytes one way",
    .needs = Needs::Gpus,
    .axes = {sizes("bytes", {256. * mib}),
             names("transfer",
                   {"one way", "against the other way", "all to device", "all to host"}),
             numbers("gpu", counted_up(0, 15)), numbers("peer", counted_up(0, 15))},
    .start = MEMSTENCIL_WITH_CUDA(start),
    .derive = sums,
    .notes =
        {"from gpu to peer, by the copy engine; against the other way, and all: the rate of this "
         "one copy, while the others go on"},
    .sampling = {.warmups = 2, .fewest = 10, .most = 40}};

}  // namespace memstencil::membench
