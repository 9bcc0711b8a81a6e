// The options that all grid codes have, and their part of a plan.
#include "app/grid/plan.hpp"

#include "app/base/ranks/collectively.hpp"
#include "app/base/record/text_report.hpp"
#include "app/bench/limit.hpp"
#include "app/bench/repeats.hpp"
#include "app/grid/cone.hpp"
#include "app/grid/halo.hpp"
#include "memory_spaces/capabilities.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <array>

namespace memstencil {

namespace {

/// The domain decomposition: as --ranks says, or as costs its messages least by the
/// transport that has been agreed.
std::array<int, 3> decomposition_of(GridPlan& plan, int halo, int ranks_of_node, int size) {
  const GridOptions& o = plan.options;
  if (o.ranks || size == 1) return o.ranks.value_or(std::array{1, 1, 1});
  const bool on_gpu = plan.executor() == Executor::Device;
  const bool staged = on_gpu && plan.transport == Transport::Staged;
  const bool copied = on_gpu && halo > 1 && carried_by_copies(plan.transport, plan.placement.space);
  const auto ranked = decompositions(o.extents, size, {halo, ranks_of_node, staged, copied});
  if (ranked.empty()) return Communicator::dimensions(size);
  plan.decomposition = choice_text(ranked);
  return ranked.front().ranks;
}

}  // namespace

void declare_problem(CommandLine& line, GridOptions& o, double bytes_of_point) {
  line.subject("Problem");
  std::string sizes;
  for (const auto& [name, extents] : named_sizes) {
    const auto [i, j, k] = extents;
    sizes += fmt::format("\n{}: {}x{}x{}, {}", name, i, j, k,
                         bytes_text(bytes_of_point * static_cast<double>(i * j * k)));
  }
  line.custom(
      "--size", "XS|S|M|L|XL|IxJxK",
      [&o](const std::string& text) { o.extents = parse_size(text); },
      [&o] { return size_name(o.extents); },
      "Points of the grid, and so the memory of the arrays" + sizes +
          "\nIxJxK: extents of your own, each from 3 (K runs fastest)");
  auto* iterations = line.integer("--iterations", o.iterations, std::int64_t{1}, most_iterations,
                                  "Number of timed sweeps");
  auto* seconds = line.real("--seconds", o.seconds, 1e-3, 1e7,
                            "Time that the sweeps of a run take, in seconds\nA run before (at "
                            "least 3 sweeps and a tenth of this time) finds their number, the same "
                            "in all repeats; together at most 10000000");
  iterations->excludes(seconds);
  line.integer("--repeat", o.repeat, 1, most_repeats, repeat_help);
}

void declare_memory(CommandLine& line, GridOptions& o) {
  declare_placement_options(line, o);
  line.choice("--pre-touch", o.pre_touch, std::array{Executor::Device},
              "With --first-touch host: before the sweeps the GPU reads all arrays once, so that "
              "their pages move to it");
}

void declare_ranks(CommandLine& line, GridOptions& o) {
  line.subject("Ranks");
  line.custom(
      "--ranks", "PxQxR|auto",
      [&o](const std::string& text) {
        o.ranks.reset();
        if (lower_case(text) != "auto") o.ranks = parse_ranks(text);
      },
      [&o] { return o.ranks ? ranks_text(*o.ranks) : std::string("auto"); },
      "Number of ranks in i, j and k\n"
      "auto: the division whose messages cost least");
  declare_transport(line, "--halo", o.halo);
}

void check_combinations(const GridOptions& o) {
  const auto fail_usage = [](const char* line) { throw CollectiveFailure(ExitCode::Usage, line); };
  check_iterations(o.iterations, o.repeat);
  if (!o.pre_touch) return;
  if (o.first_touch != Executor::Host || o.executor == Executor::Host)
    fail_usage(
        "--pre-touch device is a pass of the GPU over what the host has touched: it goes with "
        "--first-touch host and --exec device");
  if (!touch_makes_pages(o.memspace))
    fail_usage(
        "--pre-touch device needs memory whose pages can move: --memspace managed or system");
}

GridPlan make_grid_plan(const GridOptions& options, int halo, const Machine& machine,
                        const Communicator& communicator) {
  const int ranks_of_node = static_cast<int>(communicator.minimum(communicator.node_size()));
  GridPlan plan;
  plan.options = options;
  collectively(communicator, [&] {
    plan.placement = placement_of(options, machine.ranks_of_gpu);
    if (options.pre_touch && plan.executor() == Executor::Host)
      refuse("--pre-touch device", "no GPU computes here; leave it out");
  });
  plan.transport = agreed_transport("--halo", options.halo, plan.placement, communicator);
  plan.placement.mapped_by_ranks = maps_arrays(plan.transport);
  plan.placement.ranks = communicator.size();
  collectively(communicator, [&] {
    plan.subdomain = subdomain_of(options.extents,
                                  decomposition_of(plan, halo, ranks_of_node, communicator.size()),
                                  communicator.rank(), communicator.size(), halo);
  });
  return plan;
}

Requirements memory_requirements(const GridPlan& plan, const ProblemMemory& memory) {
  const MemorySpace space = plan.placement.space;
  const MemorySpace of_messages = message_memory(plan.executor(), plan.transport).space;
  const Memory of_arrays = memory_of(space, plan.executor());
  const bool by_host = plan.placement.first_touch == Executor::Host;
  Requirements out{{of_arrays, memory.arrays}};
  if (by_host && of_arrays == Memory::Gpu && touch_makes_pages(space))
    out[Memory::Host] += memory.arrays;  // pages that move to the GPU later
  if (!support(space, Executor::Host).served) out[Memory::Host] += memory.staged;
  if (reached_over_link(space, plan.executor()))  // the target of measure_limit()
    out[Memory::Gpu] += static_cast<double>(link_bytes);
  // Three passes, and the sweeps of a fourth that is not whole.
  out[Memory::Host] +=
      memory.checked * most_kept_points(plan.subdomain.global, 4 * plan.subdomain.halo);
  out[memory_of(of_messages, plan.executor())] +=
      halo_bytes(plan.subdomain, plan.transport, memory.value);
  out[plan.executor() == Executor::Device ? Memory::Gpu : Memory::Host] += memory.sweeps;
  out[Memory::Host] += memory.saved;
  return out;
}

}  // namespace memstencil
