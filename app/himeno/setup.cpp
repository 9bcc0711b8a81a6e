// From options and this machine to a run: executor, GPU, placement, part of the grid; or why not.
#include "app/himeno/setup.hpp"

#include "app/common/agree.hpp"
#include "app/common/failure.hpp"
#include "app/common/text_report.hpp"
#include "app/himeno/kernels.hpp"
#include "memory_spaces/capabilities.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <set>

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

/// Ranks of this node that share a GPU.
int ranks_of_gpu(const Communicator& communicator) {
  const int gpus = std::max(1, gpu_count());
  return (communicator.node_size() + gpus - 1) / gpus;
}

Subdomain part_of(const Setup& setup, const Communicator& communicator, int halo) {
  const Options& o = setup.options;
  const auto ranks = o.ranks.value_or(Communicator::dimensions(communicator.size()));
  return subdomain(o.extents, ranks, communicator.rank(), communicator.size(), halo);
}

/// A quarter of the device memory that this rank may think its own, where the arrays are behind a link.
std::size_t window_bytes(const Placement& p, const Communicator& communicator) {
  if (!reached_over_link(p.space, p.executor)) return 0;
  return available_bytes(MemorySpace::Device) / 4 / static_cast<std::size_t>(ranks_of_gpu(communicator));
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
  Setup setup{.options = options,
              .placement = place(options),
              .part = {},
              .halo = HaloPath::Staged,
              .fma = false,
              .window_bytes = 0,
              .variant = 0,
              .note = {}};
  setup.window_bytes = window_bytes(setup.placement, communicator);
  setup.part = part_of(setup, communicator, options.sweep.sweeps);
  setup.halo = halo_path(options, setup.placement.executor);
  setup.fma = setup.placement.executor == Executor::Device;
  return setup;
}

std::vector<jacobi::Variant> variants_of(const Setup& setup, const Communicator& communicator) {
  auto variants = kernels(setup.placement.executor).variants(setup.part.grid, setup.window_bytes);
  std::vector<double> refused;
  for (const auto& variant : variants) refused.push_back(variant.refused.empty() ? 0.0 : 1.0);
  communicator.maximum(refused);
  for (std::size_t n = 0; n < variants.size(); ++n)
    if (refused[n] > 0.0 && variants[n].refused.empty()) variants[n].refused = "another rank cannot run it";
  return variants;
}

void choose_sweep(Setup& setup, const Communicator& communicator) {
  std::array<double, 1> window{static_cast<double>(setup.window_bytes)};
  communicator.minimum(window);
  setup.window_bytes = static_cast<std::size_t>(window[0]);
  const int sweeps = setup.options.sweep.sweeps;
  if (sweeps == 1) return;
  const auto variants = variants_of(setup, communicator);
  std::set<int> built;
  std::string reason;
  for (std::size_t n = 0; n < variants.size(); ++n) {
    if (variants[n].sweeps > 1) built.insert(variants[n].sweeps);
    if (variants[n].sweeps != sweeps) continue;
    if (variants[n].refused.empty()) {
      setup.variant = n;
      return;
    }
    reason = variants[n].refused;
  }
  if (reason.empty())
    throw CollectiveFailure(ExitCode::Machine,
                            fmt::format("--sweep temporal:{}: on the {} T can be {}", sweeps,
                                        name(setup.placement.executor), fmt::join(built, ", ")));
  setup.part = part_of(setup, communicator, 1);
  setup.note = fmt::format("temporal:{} cannot take this grid ({}): single sweeps instead", sweeps, reason);
}

Setup widened(const Setup& setup, const Communicator& communicator) {
  int widest = 1;
  for (const auto& variant : variants_of(setup, communicator)) widest = std::max(widest, variant.sweeps);
  Setup wide = setup;
  for (std::size_t d = 0; d < 3; ++d)
    if (setup.part.ranks[d] > 1)
      widest =
          static_cast<int>(std::min<std::int64_t>(widest, (setup.part.global[d] - 2) / setup.part.ranks[d]));
  wide.part = part_of(setup, communicator, widest);
  return wide;
}

Setup with_variant(const Setup& setup, std::size_t variant, int sweeps, const Communicator& communicator) {
  Setup chosen = setup;
  chosen.variant = variant;
  chosen.part = part_of(setup, communicator, sweeps);
  return chosen;
}

jacobi::Filling filling_of(const Setup& setup) {
  const Subdomain& part = setup.part;
  return {{part.global[0], part.global[1], part.global[2]},
          {part.origin[0], part.origin[1], part.origin[2]},
          setup.options.seed};
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
                    size_name(setup.options.extents), bytes_text(bytes * sharing),
                    support(where, setup.placement.executor).effective,
                    sharing > 1 ? fmt::format(" for {} ranks", sharing) : "", bytes_text(there)));
  };
  const bool on_gpu = setup.placement.executor == Executor::Device;
  // Ranks of a node share its host memory; those on one GPU share that.
  const bool in_gpu_memory = on_gpu && !reached_over_link(space, Executor::Device);
  need(space, arrays, in_gpu_memory ? ranks_of_gpu(communicator) : communicator.node_size());
  if (!support(space, Executor::Host).served)
    need(MemorySpace::HostPinned, staging, communicator.node_size());
}

}  // namespace memstencil::himeno
