// Probe peers: copies between the memories of GPUs, every pair of them, and of all GPUs to the host
// and back at once.
#include "app/membench/core/transfer.cuh"

namespace memstencil::membench {

namespace {

#ifdef MEMSTENCIL_CUDA
/// Arrays of one GPU and of the host for it.
struct Gpu {
  /// Of the GPU that is current.
  explicit Gpu(std::size_t bytes)
      : device_from(MemorySpace::Device, bytes, Executor::Device),
        device_to(MemorySpace::Device, bytes, Executor::Device),
        host_from(MemorySpace::HostPinned, bytes, Executor::Host),
        host_to(MemorySpace::HostPinned, bytes, Executor::Host) {
    host_from.write();
    copy(device_from.data(), host_from.data(), bytes);
  }

  Array device_from, device_to, host_from, host_to;
};

using Gpus = std::vector<std::unique_ptr<Gpu>>;

Gpus make_gpus(std::size_t bytes) {
  const int count = gpu_count();
  for (int one = 0; one < count; ++one)
    for (int other = 0; other < count; ++other) {
      int reaches = 0;
      if (one != other)
        check(cudaDeviceCanAccessPeer(&reaches, one, other), "cudaDeviceCanAccessPeer");
      if (reaches == 0) continue;
      const Current current(one);
      const cudaError_t enabled = cudaDeviceEnablePeerAccess(other, 0);
      if (enabled == cudaErrorPeerAccessAlreadyEnabled)
        cudaGetLastError();
      else
        check(enabled, "cudaDeviceEnablePeerAccess");
    }
  require_memory(MemorySpace::HostPinned, 2 * bytes * static_cast<std::size_t>(count));
  Gpus gpus;
  for (int n = 0; n < count; ++n) {
    const Current current(n);
    gpus.push_back(std::make_unique<Gpu>(bytes));
  }
  return gpus;
}

/// The first is measured; the others go on beside it.
std::vector<Transfer> transfers_of(State& state, const Gpus& gpus) {
  const int own = state.integer("gpu"), peer = state.integer("peer");
  const auto count = static_cast<int>(gpus.size());
  if (own >= count || peer >= count) state.leave_out();
  const auto at = [&](int n) { return gpus[static_cast<std::size_t>(n % count)].get(); };
  const std::string transfer = state.text("transfer");
  if (transfer.starts_with("all") != (own == peer)) state.leave_out();
  std::vector<Transfer> all;
  if (transfer == "all to device")
    for (int n = 0; n < count; ++n)
      all.push_back(
          {&at(own + n)->device_to, &at(own + n)->host_from, Mover::CopyEngine, (own + n) % count});
  else if (transfer == "all to host")
    for (int n = 0; n < count; ++n)
      all.push_back(
          {&at(own + n)->host_to, &at(own + n)->device_from, Mover::CopyEngine, (own + n) % count});
  else
    all.push_back({&at(peer)->device_to, &at(own)->device_from, Mover::CopyEngine, own});
  if (transfer == "against the other way")
    all.push_back({&at(own)->device_to, &at(peer)->device_from, Mover::CopyEngine, own});
  return all;
}

Point start(const Setup&) {
  const auto gpus = std::make_shared<Gpus>();
  const auto bytes = std::make_shared<std::size_t>(0);
  return [gpus, bytes](State& state) {
    if (*bytes != state.bytes() / 16 * 16) {
      gpus->clear();
      *bytes = state.bytes() / 16 * 16;
      *gpus = make_gpus(*bytes);
    }
    std::vector<Transfer> others = transfers_of(state, *gpus);
    const Transfer own = others.front();
    others.erase(others.begin());
    constexpr int times = 8;
    state.sample("gbs", [&] {
      return 1e-9 * times * static_cast<double>(*bytes) / transfer_seconds(own, times, others);
    });
    // All sources hold the pattern of their GPU's host_from.
    const Gpu& source = *(*gpus)[static_cast<std::size_t>(state.integer("gpu"))];
    Array back(MemorySpace::HostPinned, *bytes, Executor::Host);
    copy(back.data(), own.to->data(), *bytes);
    back.verify_copied(source.host_from, state.title());
  };
}
#endif

std::vector<Axis> axes(bool) {
  std::vector<double> gpus;
  for (int n = 0; n < 16; ++n) gpus.push_back(n);
  return {sizes("bytes", {256. * mib}),
          names("transfer", {"one way", "against the other way", "all to device", "all to host"}),
          numbers("gpu", gpus), numbers("peer", gpus)};
}

/// All GPUs together.
void derive(std::vector<Row>& rows) {
  std::vector<Row> more;
  for (const Group& alike : groups(rows, {"bytes", "transfer"})) {
    if (!alike.like.text("transfer").starts_with("all")) continue;
    double sum = 0;
    for (const Row* row : alike.rows) sum += row->number("gbs");
    more.push_back(alike.like);
    more.back().set("sum_gbs", sum);
  }
  rows.insert(rows.end(), more.begin(), more.end());
}

}  // namespace

extern const Probe peers_probe{
    .name = "peers",
    .summary = "copies between every two GPUs, and between all GPUs and the host at once",
    .source = "[nvbandwidth]",
    .counted = "bytes one way",
    .needs = Needs::Gpus,
    .axes = axes,
    .start = MEMSTENCIL_WITH_CUDA(start),
    .derive = derive,
    .notes =
        {"from gpu to peer, by the copy engine; against the other way, and all: the rate of this "
         "one copy, while the others go on"},
    .sampling = {.warmups = 2, .fewest = 10, .most = 40}};

}  // namespace memstencil::membench
