// himeno's command line, as a struct; and the plan of a run: all that the options leave open is
// decided for this machine, or refused.
#include "app/himeno/plan.hpp"

#include "app/base/cli/numbers.hpp"
#include "app/base/ranks/collectively.hpp"
#include "app/base/runtime/execution.hpp"
#include "app/bench/placement.hpp"
#include "app/grid/halo_layer.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string_view>

namespace memstencil::himeno {

namespace {

/// The number from `low` to `high` behind a word; or nothing.
std::optional<std::int64_t> number_behind(std::string_view word, std::string_view text,
                                          std::int64_t low, std::int64_t high) {
  if (!text.starts_with(word)) return {};
  try {
    return parse_integer(text.substr(word.size()), low, high);
  } catch (const std::invalid_argument&) {
    return {};
  }
}

void read_coefficients(const std::string& typed, Options& options) {
  const std::string text = lower_case(typed);
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  options.seed = number_behind("random:", text, 0, most);
  if (!options.seed && text != "standard")
    throw std::invalid_argument(fmt::format(
        "'{}' names no coefficients: valid are standard and random:SEED, SEED an integer from 0 to "
        "{}",
        typed, most));
}

/// The first offer that answers --sweep.
jacobi::SweepOffer chosen(const std::vector<jacobi::SweepOffer>& offers,
                          const jacobi::SweepKind& asked, Executor executor) {
  std::string why_not;
  std::vector<std::string> names;
  for (const jacobi::SweepOffer& each : offers) {
    if (each.tried) names.push_back(full_name(each.kind));
    if (!each.kind.is(asked)) continue;
    if (each.why_not.empty()) return each;
    why_not = each.why_not;
  }
  if (why_not.empty())
    why_not = fmt::format("on the {} there are {}", name(executor), fmt::join(names, ", "));
  throw CollectiveFailure(ExitCode::Machine,
                          fmt::format("--sweep {}: {}", full_name(asked), why_not));
}

/// If ranks store into the memory of other GPUs, decompositions differ by the sweeps of a pass more
/// than by their messages: takes the best of those that leave k whole. Collective.
void decompose_for(const jacobi::SweepKind& asked, Plan& plan, const Communicator& communicator) {
  const GridOptions& options = plan.options;
  constexpr double points_of_a_step = 1e4;  // cost_of_pass()
  const Subdomain& subdomain = plan.subdomain;
  if (options.ranks || asked.sweeps < 2 || plan.transport != Transport::Peer) return;
  std::vector<Decomposition> ranked;
  for (Decomposition each : decompositions(options.extents, communicator.size(),
                                           {subdomain.halo, communicator.size(), false})) {
    if (each.ranks[2] > 1) continue;
    const Subdomain its = subdomain_of(options.extents, each.ranks, communicator.rank(),
                                       communicator.size(), subdomain.halo);
    double cost = 0;
    for (const jacobi::SweepOffer& offer : with_execution_space_type(
             plan.executor(), [&]<class Exec>() { return jacobi::sweep_offers<Exec>(its.grid); }))
      if (cost == 0 && offer.kind.is(asked)) cost = offer.cost;
    const bool known = communicator.all(cost > 0);
    for (const StoredLayer& layer : stored_layers(its))
      cost += static_cast<double>(layer.here.points()) / points_of_a_step;
    each.cost = communicator.maximum(cost);
    if (known) ranked.push_back(each);
  }
  if (ranked.empty()) return;
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const Decomposition& a, const Decomposition& b) { return a.cost < b.cost; });
  plan.subdomain = subdomain_of(options.extents, ranked.front().ranks, communicator.rank(),
                                communicator.size(), subdomain.halo);
  plan.decomposition = choice_text(ranked, "its sweeps");
}

}  // namespace

jacobi::SweepKind parse_sweep(const std::string& typed) {
  const std::string text = lower_case(typed);
  if (text == "auto") return {.name = text};
  constexpr int most = 256;
  for (const std::string_view name : jacobi::sweep_names) {
    if (!text.starts_with(name)) continue;
    jacobi::SweepKind asked{.name = std::string(name), .sweeps = name == "single" ? 1 : 0};
    std::string rest = text.substr(name.size());  // ":T:TILE", ":T", ":TILE" or nothing
    const std::string number = rest.substr(0, rest.find(':', 1));
    const auto sweeps = number_behind(":", number, 2, most);
    if (asked.sweeps == 0 && sweeps) {
      asked.sweeps = static_cast<int>(*sweeps);
      rest = rest.substr(number.size());
    }
    const bool only_digits = rest.find_first_not_of("0123456789", 1) == std::string::npos;
    if (!rest.empty() && (rest[0] != ':' || only_digits)) continue;
    asked.tile = rest.empty() ? rest : rest.substr(1);
    return asked;
  }
  throw std::invalid_argument(
      fmt::format("'{}' is not a kind of sweep: valid are single, temporal:T with T from 2 to {}, "
                  "both also with :TILE behind, and auto",
                  typed, most));
}

std::string coefficients_name(const std::optional<std::uint64_t>& seed) {
  return seed ? "random:" + std::to_string(*seed) : "standard";
}

void declare_options(CommandLine& line, Options& o) {
  declare_problem(line, o, jacobi::bytes_per_point);
  line.custom(
      "--coefficients", "standard|random:SEED",
      [&o](const std::string& text) { read_coefficients(text, o); },
      [&o] { return coefficients_name(o.seed); },
      "Coefficients of the stencil\n"
      "standard: the original's\n"
      "random:SEED: random ones around them, and obstacles at 2 % of the points (SEED from 0)");
  declare_memory(line, o);
  line.choice("--layout", o.layout, jacobi::all_layouts,
              "Coefficients in memory; results are the same to the bit\n"
              "arrays: twelve of them, as the original's\n"
              "packed: one, [i][j][k/8][12][8], for fused sweeps in device memory");
  line.subject("Sweep");
  line.custom(
      "--sweep", "single|temporal[:T][:TILE]|auto",
      [&o](const std::string& text) { o.sweep = parse_sweep(text); },
      [&o] { return full_name(o.sweep); },
      "Kind of sweep\n"
      "single: one sweep in a pass over the grid\n"
      "temporal:T: T sweeps fused in a pass, 2 to 256 (without T the first number that runs here)\n"
      ":TILE behind these: a tile that auto prints (without it the first)\n"
      "auto: a short trial of all kinds and tiles prints their times and finds the fastest");
  declare_ranks(line, o);
  line.subject(output_subject);
  line.flag("--save-field", o.save_field, "Write p beside the result, as NAME.field");
  line.example("himeno --size L --memspace managed --repeat 3 --output result.h5",
               "three runs with 1.9 GB of managed memory, written into a file for memcompare");
}

void check_combinations(const Options& o, const CommonOptions& common) {
  memstencil::check_combinations(o);
  if (o.save_field && common.output.empty())
    throw CollectiveFailure(
        ExitCode::Usage,
        "--save-field needs --output FILE.h5: p is written beside it, as FILE.field");
}

std::vector<jacobi::SweepOffer> sweep_offers(const GridPlan& plan, const Machine& machine,
                                             const Communicator& communicator) {
  const bool linked = reached_over_link(plan.placement.space, plan.executor());
  auto offers = with_execution_space_type(plan.executor(), [&]<class Exec>() {
    return jacobi::sweep_offers<Exec>(plan.subdomain.grid, linked ? machine.gpu_bytes / 2 : 0);
  });
  share_why_not(offers, communicator);
  return offers;
}

Plan make_plan(const Options& options, const Machine& machine, const Communicator& communicator) {
  const jacobi::SweepKind asked = options.sweep_auto() ? jacobi::SweepKind{} : options.sweep;
  Plan plan{make_grid_plan(options, std::max(asked.sweeps, 1), machine, communicator), options, {}};
  decompose_for(asked, plan, communicator);
  plan.sweep = chosen(sweep_offers(plan, machine, communicator), asked, plan.executor());
  const int sweeps = plan.sweep.kind.sweeps;
  if (asked.sweeps == 0) {  // now that the number is known, the halo is as wide
    Options with_number = options;
    with_number.sweep.sweeps = sweeps;
    return make_plan(with_number, machine, communicator);
  }
  if (options.layout == jacobi::Layout::Packed && sweeps == 1 && !options.sweep_auto())
    throw CollectiveFailure(ExitCode::Usage,
                            "--layout packed goes with fused sweeps, --sweep temporal:T: single "
                            "ones are slower with it");
  if (options.layout == jacobi::Layout::Packed &&
      (plan.executor() == Executor::Host ||
       reached_over_link(plan.placement.space, plan.executor())))
    throw CollectiveFailure(ExitCode::Machine,
                            "--layout packed: packed goes with temporal:T in device memory");
  // Single sweeps would be reported as fused ones.
  if (!options.seconds && sweeps > options.iterations)
    throw CollectiveFailure(ExitCode::Usage,
                            fmt::format("--sweep {} makes {} sweeps a pass: --iterations {} are "
                                        "fewer",
                                        full_name(asked), sweeps, options.iterations));
  return plan;
}

std::vector<std::size_t> Plan::widths() const {
  if (own.layout == jacobi::Layout::Packed) return {jacobi::coefficient_count, 1, 1};
  return std::vector<std::size_t>(jacobi::array_count + 1, 1);
}

ProblemMemory Plan::memory() const {
  const double array = sizeof(float) * subdomain.grid.elements_wanted();
  const bool on_gpu = memory_of(placement.space, executor()) == Memory::Gpu;
  return {.arrays = (jacobi::array_count + 1) * array,
          .staged = staged_values(subdomain.grid, widths()) * sizeof(float),
          .value = sizeof(float),
          // All arrays, and twice the result; streamed sweeps are checked by a kernel.
          .checked = sweep.seams > 0 ? 0.0 : (jacobi::array_count + 3) * sizeof(float),
          .sweeps = sweep.bytes,
          .saved = own.save_field ? array : 0.0,
          .remedy = on_gpu
                        ? "--memspace host-pinned --sweep auto, which streams the arrays through "
                          "the GPU's memory"
                        : "another --memspace"};
}

}  // namespace memstencil::himeno
