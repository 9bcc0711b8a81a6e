// The text that a person reads: the original's lines, with the report of the memory added.
#include "app/himeno/result.hpp"

#include "app/base/record/report_head.hpp"
#include "app/base/record/spread_note.hpp"
#include "app/base/record/text_report.hpp"
#include "kernels/jacobi/arrays.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

namespace memstencil::himeno {

namespace {

/// The original's scale: a Pentium III at 600 MHz makes this many MFLOPS.
constexpr double pentium_iii_mflops = 82.84;

/// The text after the numbers of ranks; nothing for one rank.
std::string halo_text(const Result& r) {
  if (r.halo == "none") return {};
  if (!r.halo_library) return ", halo " + r.halo;
  const std::string registered =
      r.halo_registered ? *r.halo_registered ? ", buffers registered" : ", buffers not registered"
                        : "";
  return fmt::format(", halo {} ({}{})", r.halo, *r.halo_library, registered);
}

std::string layout_text(const std::string& layout) {
  return layout == "packed" ? "packed, the coefficients of eight points side by side"
                            : layout + ", as the original's";
}

/// What an exchange costs the sweeps, and what it would take alone.
std::string exchanges_text(const Scaling& s) {
  const double seen = s.transfer_seconds + s.waiting_seconds;
  const std::string hidden = !s.edges_first.value_or(true)
                                 ? "nothing hidden, sweeps and messages take turns"
                                 : "hidden at most " + seconds_text(s.hidden_seconds);
  return fmt::format("{}, each {} that is not hidden ({} by itself): transfer {}, waiting {}; {}",
                     s.exchanges,
                     seconds_text(s.exchanges > 0 ? seen / static_cast<double>(s.exchanges) : 0.0),
                     seconds_text(s.exchange_seconds), seconds_text(s.transfer_seconds),
                     seconds_text(s.waiting_seconds), hidden);
}

Lines head(const Result& r) {
  Lines lines = banner("himeno", r.machine, r.provenance);
  append(lines,
         {{"size", fmt::format("{}: mimax = {} mjmax = {} mkmax = {}", r.size, r.extents[0],
                               r.extents[1], r.extents[2])},
          {"ranks", fmt::format("{}{}", fmt::join(r.ranks, " x "), halo_text(r))},
          {"executor", text(r.exec, r.execution)},
          {"memory", text(r.memspace)},
          {"layout", layout_text(r.layout)},
          {"first touch by",
           r.first_touch + (r.options_of_case.pre_touch ? ", then read once by the GPU" : "")},
          {"sweep", fmt::format("{} ({})", r.sweep, r.sweep_kernel)},
          {"arithmetic",
           r.fma ? "multiply-add contracted (FMA)" : "not contracted, as the original's"}});
  append(lines, memory_lines(r.machine, effective_spaces(r.memspace)));
  if (r.division) lines.emplace_back("division", *r.division);
  if (r.note) lines.emplace_back("note", *r.note);
  if (const auto& coefficients = r.options_of_case.coefficients;
      coefficients && *coefficients != "standard")
    lines.emplace_back("coefficients", *coefficients);
  return lines;
}

/// With the clocks where NVML tells them.
std::string drift_text(double drift, const std::optional<Energy>& energy) {
  const std::string clocks =
      energy && energy->gpus ? fmt::format(" ({})", clocks_text(*energy->gpus)) : "";
  return fmt::format(
      "the last tenth of the sweeps took {:.0f} % {} than the first: clocks{}, pages that moved, "
      "or other work on this machine",
      100 * std::abs(drift), drift > 0 ? "longer" : "less", clocks);
}

Lines times(const Result& r) {
  Lines lines;
  for (const auto& [name, seconds] : r.phases) lines.emplace_back(name, seconds_text(seconds));
  const Spread& s = r.sweep_seconds.spread;
  lines.emplace_back("one sweep",
                     fmt::format("min {}, median {}, max {}, first {}", seconds_text(s.minimum),
                                 seconds_text(s.median), seconds_text(s.maximum),
                                 seconds_text(r.sweep_seconds.first)));
  if (r.exec == "host") append(lines, spread_note("sweep", s, r.provenance));
  constexpr double worth_saying = 0.1;
  if (r.drift && std::abs(*r.drift) > worth_saying)
    lines.emplace_back("drift", drift_text(*r.drift, r.energy));
  if (r.residency) lines.emplace_back("pages", text(*r.residency, r.exec));
  lines.emplace_back("staging", text(r.staging));
  if (r.scaling) lines.emplace_back("exchanges", exchanges_text(*r.scaling));
  return lines;
}

/// Do a host's sweeps wait for memory whose huge pages the system gives to those alone who ask?
/// (Single sweeps of L: 0.77 to 0.81 of the read stream without, 0.85 to 1.08 with them;
/// docs/lab/cpu-sweeps.md.)
bool huge_pages_may_pay(const Result& r) {
  const auto points = static_cast<double>(r.extents[0] * r.extents[1] * r.extents[2]);
  const auto caches = r.machine.fact<double>("/cpu/last_level_cache_bytes");
  return r.exec == "host" && r.options_of_case.memory.pages == "default" &&
         r.machine.text("/memory/huge_pages/enabled") == "madvise" && caches &&
         jacobi::bytes_per_point * points > *caches;
}

Lines rates(const Result& r) {
  Lines lines{
      {"bandwidth", bandwidth_text(r.bandwidth_gbs * 1e9) + " (56 bytes a point and sweep)"},
      {"memory limit",
       fmt::format("{} ({}, measured in this run): {:.1f} MFLOPS",
                   bandwidth_text(r.limit.gbs * 1e9), r.limit.kind, r.limit.mflops)},
      {"fraction of limit", fmt::format("{:.3f}", r.limit.fraction)},
      {"end to end",
       r.mflops_end_to_end > 0
           ? fmt::format("{:.3f} MFLOPS over all phases", r.mflops_end_to_end)
           : "no MFLOPS: of a sweep the original counts 34 (I-3)(J-3)(K-3) operations, "
             "none where an extent is 3"}};
  if (r.repeats)
    lines.emplace_back("repeats", fmt::format("{}: min {:.3f}, median {:.3f}, max {:.3f} MFLOPS",
                                              r.repeats->size(), r.mflops_spread->minimum,
                                              r.mflops_spread->median, r.mflops_spread->maximum));
  if (huge_pages_may_pay(r))
    lines.emplace_back("worth a trial", "--pages huge: the arrays exceed the caches");
  if (r.energy) append(lines, lines_of(*r.energy));
  lines.emplace_back("verified", "yes");
  return lines;
}

std::string history(const Result& r) {
  if (!r.gosa_history) return {};
  std::string out = "gosa of each sweep\n";
  std::size_t sweep = 0;
  for (const double gosa : *r.gosa_history) out += fmt::format("  {:>8}  {:.9e}\n", ++sweep, gosa);
  return out + "\n";
}

/// The lines that the original ends with; scripts read them.
std::string original_ending(const Result& r) {
  return fmt::format(
      " Loop executed for {} times\n Gosa : {:.6e} \n MFLOPS measured : {:.6f}\tcpu : {:.6f}\n"
      " Score based on Pentium III 600MHz : {:.6f}\n",
      r.iterations, r.gosa, r.mflops, r.solve_seconds.value_or(0), r.mflops / pentium_iii_mflops);
}

std::string line_of(const TriedSweep& row) {
  const std::string kind = fmt::format("{:<8} {:<12} {:<12} ", row.layout, row.sweep, row.tile);
  if (row.failed) return kind + "FAILED: " + *row.failed + "\n";
  if (row.refused) return kind + "not tried: " + *row.refused + "\n";
  const Spread& s = *row.sweep_seconds;
  return kind + fmt::format("{:>10} {:>10} {:>10} {:>9.3f}\n", seconds_text(s.minimum),
                            seconds_text(s.median), seconds_text(s.maximum), *row.fraction);
}

}  // namespace

std::string text_report(const Result& r) {
  return aligned_lines(head(r)) + "\n" + aligned_lines(times(r)) + "\n" + aligned_lines(rates(r)) +
         "\n" + history(r) + original_ending(r);
}

std::string text_report(const TuneResult& r) {
  std::string out = fmt::format("size {}, {} memory, limit {} ({})\n", r.size, text(r.memspace),
                                bandwidth_text(r.limit.gbs * 1e9), r.limit.kind);
  out += fmt::format("{:<8} {:<12} {:<12} {:>10} {:>10} {:>10} {:>9}\n", "layout", "sweep", "tile",
                     "min", "median", "max", "fraction");
  for (const TriedSweep& row : r.tune) out += line_of(row);
  return out +
         fmt::format("fastest: {} ({}), {}\n", r.fastest.sweep, r.fastest.tile, r.fastest.layout);
}

}  // namespace memstencil::himeno
