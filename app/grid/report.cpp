// The parts of a text report that all grid codes have.
#include "app/base/machine/report_head.hpp"
#include "app/grid/record.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>

namespace memstencil {

namespace {

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

/// Do a host's sweeps wait for memory whose huge pages the system gives to those alone who ask?
/// (Single sweeps of 1.9 GB: 0.77 to 0.81 of the read stream without, 0.85 to 1.08 with them;
/// docs/lab/cpu-sweeps.md.)
bool huge_pages_may_pay(const GridResult& r, double bytes_of_point) {
  const auto points = static_cast<double>(r.extents[0] * r.extents[1] * r.extents[2]);
  const auto caches = r.machine.fact<double>("/cpu/last_level_cache_bytes");
  return r.exec == "host" && option(r, "pages") != "huge" &&
         r.machine.text("/memory/huge_pages/enabled") == "madvise" && caches &&
         bytes_of_point * points > *caches;
}

}  // namespace

std::string option(const ApplicationResult& result, const char* name) {
  const auto found = result.options.find(name);
  return found != result.options.end() && found->is_string() ? found->get<std::string>() : "";
}

Lines head_lines(const char* program, const GridResult& r) {
  Lines lines = banner(program, r.machine, r.provenance);
  append(lines,
         {{"size", fmt::format("{}: {} points", r.size, fmt::join(r.extents, " x "))},
          {"ranks", fmt::format("{}{}", fmt::join(r.ranks, " x "), halo_text(r))},
          {"executor", text(r.exec, r.execution)},
          {"memory", text(r.memspace)},
          {"first touch by",
           r.first_touch +
               (r.phases.find("pre-touch") != nullptr ? ", then read once by the GPU" : "")},
          {"sweep", fmt::format("{} ({})", r.sweep, r.sweep_kernel)},
          {"arithmetic", r.fma ? "multiply-add contracted (FMA)" : "multiply-add not contracted"}});
  append(lines, memory_lines(r.machine, effective_spaces(r.memspace)));
  if (r.division) lines.emplace_back("division", *r.division);
  return lines;
}

Lines time_lines(const GridResult& r) {
  Lines lines;
  for (const auto& [name, seconds] : r.phases) lines.emplace_back(name, seconds_text(seconds));
  const Spread& s = r.sweep_seconds.spread;
  if (r.capped) lines.emplace_back("capped", *r.capped);
  lines.emplace_back("one sweep",
                     fmt::format("min {}, median {}, max {}, first {}", seconds_text(s.minimum),
                                 seconds_text(s.median), seconds_text(s.maximum),
                                 seconds_text(r.sweep_seconds.first)));
  if (r.residency) lines.emplace_back("pages", text(*r.residency, r.exec));
  lines.emplace_back("staging", text(r.staging));
  if (r.scaling)
    lines.emplace_back("exchanges", exchanges_text(*r.scaling, *r.phases.find("halo")));
  return lines;
}

Lines rate_lines(const GridResult& r, const RateUnit& unit, std::size_t repeats) {
  const auto rate = [&](double mflops) { return fmt::format("{:.3f}", mflops * unit.of_mflops); };
  Lines lines{
      {"bandwidth", fmt::format("{} ({} bytes a point and sweep)",
                                bandwidth_text(r.bandwidth_gbs * 1e9), unit.bytes_of_point)}};
  lines.emplace_back(
      "memory limit",
      fmt::format(
          "{} ({}, measured in this run): {} {}{}", bandwidth_text(r.limit.gbs * 1e9), r.limit.kind,
          rate(r.limit.mflops), unit.name,
          r.limit.disturbed ? "; disturbed: its samples differ by a factor of 2 or more" : ""));
  lines.emplace_back("fraction of limit", fmt::format("{:.3f}", r.limit.fraction));
  if (r.mflops_end_to_end > 0)
    lines.emplace_back("end to end",
                       fmt::format("{} {} over all phases", rate(r.mflops_end_to_end), unit.name));
  if (const auto& s = r.mflops_spread)
    lines.emplace_back("repeats",
                       fmt::format("{}: min {}, median {}, max {} {}", repeats, rate(s->minimum),
                                   rate(s->median), rate(s->maximum), unit.name));
  if (huge_pages_may_pay(r, unit.bytes_of_point))
    lines.emplace_back("worth a trial", "--pages huge: the arrays exceed the caches");
  if (r.energy) append(lines, lines_of(*r.energy));
  lines.emplace_back("verified", "yes");
  return lines;
}

}  // namespace memstencil
