// From options and this machine to a run: executor, GPU, placement, part of the grid; or why not.
#include "app/himeno/setup.hpp"

#include "app/common/agree.hpp"
#include "app/common/failure.hpp"
#include "app/himeno/halo_choice.hpp"
#include "app/himeno/kernels.hpp"
#include "app/placement/place.hpp"
#include "memory_spaces/capabilities.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <set>

namespace memstencil::himeno {

namespace {

Subdomain part_of(const Setup& setup, const Communicator& communicator, int halo) {
  const Options& o = setup.options;
  const auto ranks = o.ranks.value_or(Communicator::dimensions(communicator.size()));
  return subdomain(o.extents, ranks, communicator.rank(), communicator.size(), halo);
}

/// --memspace's placement with the space that --place names for a group.
Placement place_group(const Options& options, const char* group, const std::optional<MemorySpace>& space,
                      int ranks_of_gpu) {
  if (!space) return place(options, ranks_of_gpu);
  PlacementOptions own = options;
  own.memspace = *space;
  try {
    return place(own, ranks_of_gpu);
  } catch (const Failure& failure) {
    throw Failure(failure.code(), fmt::format("--place {}={}: {}", group, name(*space), failure.what()));
  }
}

bool behind_link(const Setup& setup) {
  const auto far = [](const Placement& p) { return reached_over_link(p.space, p.executor); };
  return far(setup.placement) || far(setup.placement_of_p);
}

/// A quarter of the device memory that this rank may think its own, where arrays are behind a link.
std::size_t window_bytes(const Setup& setup) {
  if (!behind_link(setup)) return 0;
  return available_bytes(MemorySpace::Device) / 4 / static_cast<std::size_t>(setup.placement.ranks_of_gpu);
}

}  // namespace

Setup set_up(const Options& options, const Communicator& communicator, int ranks_of_gpu) {
  Setup setup{.options = options,
              .placement = place_group(options, "coefficients", options.place.coefficients, ranks_of_gpu),
              .placement_of_p = place_group(options, "p", options.place.p, ranks_of_gpu),
              .part = {},
              .halo = HaloPath::Staged,
              .fma = false,
              .window_bytes = 0,
              .variant = 0,
              .note = {},
              .gpu_exchange = nullptr};
  setup.window_bytes = window_bytes(setup);
  setup.part = part_of(setup, communicator, options.sweep.sweeps);
  setup.halo = halo_path(options.halo, setup.placement);
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

}  // namespace memstencil::himeno
