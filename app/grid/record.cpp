// Measurements of a run of a grid code, the result of its program, and the parts of a text report
// that all grid codes have.
#include "app/grid/record.hpp"

#include "app/base/machine/report_head.hpp"
#include "app/bench/gpu_exchange.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>

namespace memstencil {

namespace {

constexpr double mega = 1e-6;
constexpr double giga = 1e-9;

/// The text after the numbers of ranks; nothing for one rank.
std::string halo_text(const GridResult& r) {
  if (r.halo == "none") return {};
  if (!r.halo_library) return ", halo " + r.halo;
  return fmt::format(", halo {} ({})", r.halo, *r.halo_library);
}

/// The cost of an exchange for the sweeps, and its time alone.
std::string exchanges_text(const Scaling& s, double halo_seconds) {
  const auto exchanges = static_cast<double>(std::max<std::int64_t>(s.exchanges, 1));
  return fmt::format("{}, each waited for {} ({} by itself): sweeps and messages {}", s.exchanges,
                     seconds_text(halo_seconds / exchanges), seconds_text(s.exchange_seconds),
                     s.edges_first ? "run beside each other" : "take turns");
}

}  // namespace

void GridRun::SweepSeconds::describe(Archive& a) const {
  spread.describe(a);
  MEMSTENCIL_MEMBERS(a, count, first, last);
}

void GridResult::describe_as(const char* program, Archive& a) const {
  describe_head(a, program, origin);
  MEMSTENCIL_MEMBERS(a, size, extents, ranks, exec, execution, memspace, first_touch, sweep, halo,
                     halo_library, division, capped, fma, stands);
  GridRun::describe(a);
  MEMSTENCIL_MEMBERS(a, verified, options, machine, provenance, mflops_spread);
}

void add_rates(GridRun& run, const SweepCost& of_sweep, const std::vector<double>& sweep_seconds,
               const Limit& limit) {
  const auto sweeps = static_cast<double>(sweep_seconds.size());
  run.iterations = static_cast<std::int64_t>(sweep_seconds.size());
  run.mflops = of_sweep.flops * sweeps / run.solve_seconds * mega;
  run.mflops_end_to_end = of_sweep.flops * sweeps / run.total_seconds * mega;
  const double bandwidth = of_sweep.bytes * sweeps / run.solve_seconds;
  run.bandwidth_gbs = bandwidth * giga;
  const double rate = limit.gbs / giga;
  run.limit = {limit, of_sweep.flops / (of_sweep.bytes / rate) * mega, bandwidth / rate};
  if (run.energy) run.energy->divide(sweeps, of_sweep.flops);
  run.sweep_seconds = {.spread = spread_of(sweep_seconds),
                       .count = run.iterations,
                       .first = sweep_seconds.front(),
                       .last = sweep_seconds.back()};
  run.sweeps = {kept_samples(sweep_seconds)};
}

void set_plan(const GridPlan& plan, GridResult& result) {
  result.size = size_name(plan.options.extents);
  result.exec = name(plan.executor());
  result.execution = execution_of(plan.executor());
  result.memspace = memspace_of(plan.placement);
  if (plan.options.seconds && kept_in_pool(plan.placement.kind()))
    result.memspace.warm = "the rehearsal of --seconds has left its memory in the pool";
  if (plan.options.seconds && result.iterations == most_iterations / plan.options.repeat)
    result.capped = fmt::format(
        "{} sweeps of all repeats are the most that a run makes: they are "
        "fewer than --seconds asks for",
        most_iterations);
  result.own_seconds = result.seconds_of_rank;
  result.extents = plan.options.extents;
  result.ranks = plan.subdomain.ranks;
  result.first_touch = name(plan.placement.first_touch);
  result.halo = name(plan.transport);
  result.fma = plan.fma();
  if (plan.transport == Transport::Nccl) result.halo_library = gpu_exchange_library();
  if (!plan.decomposition.empty()) result.division = plan.decomposition;
}

std::string answer_text(const char* program, const GridResult& r) {
  const std::string extents = fmt::format("{}", fmt::join(r.extents, "x"));
  const std::string speed = r.mflops > 0 ? four_digits(r.mflops * 1e-3) + " GFLOPS"
                                         : bandwidth_text(r.bandwidth_gbs * 1e9);
  const Spread& s = r.sweep_seconds.spread;
  return fmt::format(
      "{} {}, {}, {}{}\n"
      "{}, {:.2f} of the {}'s limit ({}, {}, this run); verified\n"
      "{}\n"
      "one sweep: median {} [{}, {}], first {}\n",
      program, r.size == extents ? extents : fmt::format("{} ({})", r.size, extents),
      counted(r.iterations, "sweep"), processor_text(r),
      r.ranks == std::array{1, 1, 1}
          ? ""
          : fmt::format(", {} ranks", r.ranks[0] * r.ranks[1] * r.ranks[2]),
      speed, r.limit.fraction, r.limit.kind == "link" ? "link" : "memory", r.limit.kind,
      bandwidth_text(r.limit.gbs * 1e9), total_text(r.total_seconds, r.phases),
      seconds_text(s.median), seconds_text(s.minimum), seconds_text(s.maximum),
      seconds_text(r.sweep_seconds.first));
}

Lines case_lines(const char* program, const GridResult& r) {
  Lines lines = banner(program, r.machine, r.provenance);
  const bool alone = r.ranks == std::array{1, 1, 1};
  append(lines,
         {{"ranks", fmt::format("{}{}", fmt::join(r.ranks, " x "), halo_text(r)), !alone},
          {"sweep", fmt::format("{} ({})", r.sweep, r.sweep_kernel), r.sweep != "single"},
          {"arithmetic", r.fma ? "multiply-add contracted (FMA)" : "multiply-add not contracted"}});
  append(lines, memory_lines(r, r.first_touch));
  if (r.division) lines.emplace_back("division", *r.division, true);
  if (r.pause) lines.push_back(note(text(*r.pause)));
  if (r.capped) lines.push_back(note(*r.capped));
  if (r.residency) lines.emplace_back("pages", text(*r.residency, r.exec), true);
  if (r.staging) lines.emplace_back("staging", text(*r.staging));
  if (r.scaling)
    lines.emplace_back("exchanges", exchanges_text(*r.scaling, *r.phases.find("halo")), true);
  return lines;
}

Lines rate_lines(const GridResult& r, double bytes_of_point, std::size_t repeats) {
  Lines lines{{"bandwidth", fmt::format("{} ({} bytes a point and sweep)",
                                        bandwidth_text(r.bandwidth_gbs * 1e9), bytes_of_point)},
              {"at the limit", four_digits(r.limit.mflops * 1e-3) + " GFLOPS"}};
  if (r.limit.disturbed)
    lines.push_back(note("the limit was disturbed: its samples differ by a factor of 2 or more"));
  if (r.mflops_end_to_end > 0)
    lines.emplace_back("end to end",
                       four_digits(r.mflops_end_to_end * 1e-3) + " GFLOPS over all phases");
  if (const auto& s = r.mflops_spread)
    lines.emplace_back(
        "repeats",
        fmt::format("{}: median {} GFLOPS [{}, {}]", repeats, four_digits(s->median * 1e-3),
                    four_digits(s->minimum * 1e-3), four_digits(s->maximum * 1e-3)),
        true);
  if (r.energy) append(lines, lines_of(*r.energy));
  return lines;
}

}  // namespace memstencil
