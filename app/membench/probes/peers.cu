// Probe peers: copies between the memories of GPUs, every pair of them, and of all GPUs to the host
// and back at once.
#include "app/membench/core/probe.hpp"

#ifdef MEMSTENCIL_CUDA
#include "app/membench/core/transfer.cuh"

#include <memory>

namespace memstencil::membench {

namespace {

/// Makes a GPU current as long as it lives.
class Current {
public:
  explicit Current(int gpu) {
    check(cudaGetDevice(&before_), "cudaGetDevice");
    check(cudaSetDevice(gpu), "cudaSetDevice");
  }
  ~Current() { cudaSetDevice(before_); }
  Current(const Current&) = delete;
  Current& operator=(const Current&) = delete;

private:
  int before_ = 0;
};

/// Arrays of one GPU and of the host for it; streams and events for both directions.
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
  Stream stream;
  Event begin, end;
};

using Gpus = std::vector<std::unique_ptr<Gpu>>;

Gpus make_gpus(std::size_t bytes) {
  const int count = gpu_count();
  for (int one = 0; one < count; ++one)
    for (int other = 0; other < count; ++other) {
      int reaches = 0;
      if (one == other || cudaDeviceCanAccessPeer(&reaches, one, other) != cudaSuccess || !reaches)
        continue;
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

/// A series of copies in one GPU's stream.
struct Work {
  int gpu;
  Array *to, *from;
};

/// Seconds of `times` copies of the first, while the others go on all the time.
double seconds(const std::vector<Work>& works, int times) {
  std::vector<std::unique_ptr<Stream>> streams;
  std::vector<std::unique_ptr<Event>> ends;
  for (const Work& work : works) {
    const Current current(work.gpu);
    streams.push_back(std::make_unique<Stream>());
    ends.push_back(std::make_unique<Event>());
  }
  const Current first(works[0].gpu);
  const Event begin;
  for (int more = 2 * times;; more *= 2) {
    Gate gate;  // of the first GPU: the others' streams wait for an event behind it
    cudaEvent_t open = nullptr;
    check(cudaEventCreateWithFlags(&open, cudaEventDisableTiming), "cudaEventCreate");
    check(cudaEventRecord(open, nullptr), "cudaEventRecord");
    for (std::size_t w = 0; w < works.size(); ++w) {
      const Current current(works[w].gpu);
      check(cudaStreamWaitEvent(streams[w]->get(), open, 0), "cudaStreamWaitEvent");
      if (w == 0) begin.record(streams[0]->get());
      for (int n = 0; n < (w == 0 ? times : more); ++n)
        start_transfer(transfer(*works[w].to, *works[w].from), Mover::CopyEngine,
                       streams[w]->get());
      ends[w]->record(streams[w]->get());
    }
    gate.open();
    const double taken = ends[0]->seconds_since(begin);
    for (const Work& work : works) {
      const Current current(work.gpu);
      check(cudaDeviceSynchronize(), "copies of all GPUs");
    }
    cudaEventDestroy(open);
    // Events of other GPUs cannot be compared with these: the others copied twice as often, and a
    // pair is compared by its own GPU's.
    if (works.size() != 2 || works[0].gpu != works[1].gpu || ends[1]->seconds_since(*ends[0]) >= 0)
      return taken;
  }
}

/// Of the first; the others stand against it.
std::vector<Work> works_of(State& state, Gpus& gpus) {
  const int own = state.integer("gpu"), peer = state.integer("peer");
  const auto count = static_cast<int>(gpus.size());
  if (own >= count || peer >= count) state.leave_out();
  const std::string transfer = state.text("transfer");
  if (transfer.starts_with("all")) {
    if (own != peer) state.leave_out();
    const bool up = transfer == "all to device";
    std::vector<Work> works;
    for (int n = 0; n < count; ++n) {
      Gpu& gpu = *gpus[static_cast<std::size_t>((own + n) % count)];
      works.push_back({(own + n) % count, up ? &gpu.device_to : &gpu.host_to,
                       up ? &gpu.host_from : &gpu.device_from});
    }
    return works;
  }
  if (own == peer) state.leave_out();
  Gpu &from = *gpus[static_cast<std::size_t>(own)], &to = *gpus[static_cast<std::size_t>(peer)];
  std::vector<Work> works{{own, &to.device_to, &from.device_from}};
  if (transfer == "against the other way") works.push_back({own, &from.device_to, &to.device_from});
  return works;
}

Point start(const Setup&) {
  const auto gpus = std::make_shared<Gpus>();
  const auto bytes = std::make_shared<std::size_t>(0);
  return [gpus, bytes](State& state) {
    if (*bytes != state.bytes()) {
      gpus->clear();
      *bytes = state.bytes() / 16 * 16;
      *gpus = make_gpus(*bytes);
    }
    const std::vector<Work> works = works_of(state, *gpus);
    constexpr int times = 8;
    state.sample(
        "gbs", [&] { return 1e-9 * times * static_cast<double>(*bytes) / seconds(works, times); });
    // All sources hold the pattern of their GPU's host_from.
    const Gpu& source = *(*gpus)[static_cast<std::size_t>(state.integer("gpu"))];
    Array back(MemorySpace::HostPinned, *bytes, Executor::Host);
    copy(back.data(), works[0].to->data(), *bytes);
    back.verify_copied(source.host_from, state.title());
  };
}

}  // namespace

}  // namespace memstencil::membench
#endif

namespace memstencil::membench {

namespace {

std::vector<Axis> axes(bool) {
  std::vector<Value> gpus;
  for (int n = 0; n < 16; ++n) gpus.emplace_back(static_cast<double>(n));
  return {{.name = "bytes", .unit = "B", .values = {256. * (1 << 20)}, .least = 4096},
          {.name = "transfer",
           .unit = "",
           .values = names({"one way", "against the other way", "all to device", "all to host"})},
          {.name = "gpu", .unit = "", .values = gpus, .fixed = true},
          {.name = "peer", .unit = "", .values = gpus, .fixed = true}};
}

/// All GPUs together.
void derive(std::vector<Row>& rows) {
  std::map<std::pair<std::string, double>, double> sums;
  for (const Row& row : rows)
    if (row.text("transfer").starts_with("all"))
      sums[{row.text("transfer"), row.number("bytes")}] += row.number("gbs");
  for (const auto& [of, gbs] : sums)
    rows.push_back({{{"bytes", of.second}, {"transfer", of.first}, {"sum_gbs", gbs}}, {}});
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
