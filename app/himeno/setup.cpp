// From options and this machine to a run: executor, GPU, placement, part of the grid; or why not.
#include "app/himeno/setup.hpp"

#include "app/common/failure.hpp"
#include "app/common/text_report.hpp"
#include "memory_spaces/capabilities.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace memstencil::himeno {

namespace {

void refuse(const std::string& option, const std::string& reason) {
  if (!reason.empty()) throw Failure(ExitCode::Machine, option + ": " + reason);
}

void refuse_unbuilt(const Options& o) {
  constexpr const char* unbuilt = "not built yet";
  if (o.memspace_auto) refuse("--memspace auto", unbuilt);
  if (!o.place.empty()) refuse("--place", unbuilt);
  if (!o.probes.empty()) refuse("--probes", unbuilt);
  if (o.tune) refuse("--tune", unbuilt);
  if (o.sweep.automatic || o.sweep.sweeps > 1) refuse("--sweep " + name(o.sweep), unbuilt);
  if (o.halo == HaloPath::Nccl) refuse("--halo nccl", unbuilt);
}

Placement place(const Options& o) {
  const Executor executor = o.executor.value_or(gpu_count() > 0 ? Executor::Device : Executor::Host);
  std::string no_gpu;
  if (executor == Executor::Device && gpu_count(&no_gpu) == 0)
    refuse("--exec device", no_gpu + "; use --exec host in a build with --preset openmp");
  const Placement p{.space = o.memspace,
                    .pages = o.pages,
                    .advice = o.advice,
                    .prefetch = o.prefetch,
                    .first_touch = o.first_touch.value_or(executor),
                    .executor = executor};
  refuse(fmt::format("--memspace {}", name(p.space)), support(p.space, executor).reason);
  if (p.first_touch != executor) {
    // Device memory is touched by the host through a staging buffer.
    const bool staged = p.first_touch == Executor::Host && executor == Executor::Device &&
                        !support(p.space, Executor::Host).served;
    if (!staged)
      refuse(fmt::format("--first-touch {}", name(p.first_touch)), support(p.space, p.first_touch).reason);
  }
  refuse(fmt::format("--pages {}", name(p.pages)), refuse_pages(p.space, p.pages));
  refuse(fmt::format("--advise {}", name(p.advice)), refuse_advice(p.space, p.advice));
  if (p.prefetch) refuse("--prefetch", refuse_prefetch(p.space));
  return p;
}

HaloPath halo_path(const Options& o, Executor executor) {
  if (o.halo == HaloPath::Device) {
    if (executor == Executor::Host) refuse("--halo device", "the sweeps run on the host; use --halo staged");
    if (!Communicator::gpu_aware())
      refuse("--halo device", "this MPI (" + Communicator::library() +
                                  ") does not say that it takes device pointers; use --halo staged");
    return HaloPath::Device;
  }
  const bool direct = o.halo == HaloPath::Auto && executor == Executor::Device && Communicator::gpu_aware();
  return direct ? HaloPath::Device : HaloPath::Staged;
}

}  // namespace

int choose_gpu(const Options& o, const Communicator& communicator) {
  const int count = gpu_count();
  if (o.gpu && *o.gpu >= count)
    refuse(fmt::format("--gpu {}", *o.gpu),
           count == 0 ? "no GPU answers here" : fmt::format("this node has GPUs 0 to {}", count - 1));
  if (count == 0) return -1;
  return o.gpu.value_or(communicator.node_rank() % count);
}

Setup set_up(const Options& options, const Communicator& communicator) {
  refuse_unbuilt(options);
  Setup setup{
      .options = options, .placement = place(options), .part = {}, .halo = HaloPath::Staged, .fma = false};
  const auto ranks = options.ranks.value_or(Communicator::dimensions(communicator.size()));
  setup.part =
      subdomain(options.extents, ranks, communicator.rank(), communicator.size(), options.sweep.sweeps);
  setup.halo = halo_path(options, setup.placement.executor);
  setup.fma = setup.placement.executor == Executor::Device;
  return setup;
}

void check_memory(const Setup& setup, const Communicator& communicator) {
  const MemorySpace space = setup.placement.space;
  const double arrays = field_bytes(setup.part.grid);
  const double staging = arrays / (jacobi::array_count + 1);
  const auto need = [&](MemorySpace where, double bytes, int sharing) {
    const double there = static_cast<double>(available_bytes(where));
    if (bytes * sharing <= there) return;
    throw Failure(
        ExitCode::Machine,
        fmt::format("the grid {} needs {} of {} memory{}, and {} are available here; use a smaller --size, "
                    "more nodes, or another --memspace",
                    size_name(setup.options.extents), bytes_text(bytes * sharing), name(where),
                    sharing > 1 ? fmt::format(" for {} ranks", sharing) : "", bytes_text(there)));
  };
  const int gpus = std::max(1, gpu_count());
  const bool on_gpu = setup.placement.executor == Executor::Device;
  // Ranks of a node share its host memory; those on one GPU share that.
  const bool in_gpu_memory = on_gpu && !reached_over_link(space, Executor::Device);
  need(space, arrays,
       in_gpu_memory ? (communicator.node_size() + gpus - 1) / gpus : communicator.node_size());
  if (!support(space, Executor::Host).served)
    need(MemorySpace::HostPinned, staging, communicator.node_size());
}

}  // namespace memstencil::himeno
