// The text that a person reads.
#include "app/base/machine/report_head.hpp"
#include "app/base/record/text_report.hpp"
#include "app/bench/memory_record.hpp"
#include "app/transpose/result.hpp"

#include <fmt/format.h>

namespace memstencil::transpose {

namespace {

Lines head(const Result& r) {
  Lines lines = banner("transpose", r.machine, r.provenance);
  append(lines, {{"matrix", fmt::format("{}, {}, rows of A every {} elements, of B every {}",
                                        r.size, r.type, r.pitch_a, r.pitch_b)},
                 {"ranks", r.ranks == 1 ? std::string("1")
                                        : fmt::format("{}, rows in blocks, messages {}", r.ranks,
                                                      r.messages)},
                 {"executor", text(r.exec, r.execution)},
                 {"memory", text(r.memspace)},
                 {"first touch by", r.first_touch},
                 {"iterations", std::to_string(r.iterations)}});
  append(lines, memory_lines(r.machine, effective_spaces(r.memspace)));
  return lines;
}

/// Of the variants whose energy was measured, or why it was of none; clocks that were held down.
Lines energies(const Result& r) {
  Lines lines;
  std::optional<std::string> left_out;
  bool measured = false;
  for (const TimedVariant& v : r.variants) {
    if (!v.energy) continue;
    if (v.energy->left_out)
      left_out = v.energy->left_out;
    else
      measured = true;
    if (v.energy->left_out && !v.energy->throttled()) continue;
    for (const auto& [name, text] : lines_of(*v.energy))
      if (name != "energy") lines.emplace_back(v.name + ", " + name, text);
  }
  if (!measured && left_out) lines.emplace_back("energy", "left out: " + *left_out);
  return lines;
}

Lines tail(const Result& r) {
  Lines lines;
  for (const auto& [name, seconds] : r.phases) lines.emplace_back(name, seconds_text(seconds));
  if (r.limit.kind == "link")
    lines.emplace_back("link", bandwidth_text(r.limit.gbs * 1e9) + " (copy engine)");
  if (r.residency) lines.emplace_back("pages", text(*r.residency, r.exec));
  if (r.repeats)
    lines.emplace_back("repeats",
                       fmt::format("{}; above is the one in the middle", r.repeats->size()));
  if (r.repeats) add_first_life(lines, r, r.repeats->front().phases);
  append(lines, energies(r));
  lines.emplace_back("verified", "yes, every element of every variant");
  return lines;
}

/// "tiled 16x16" for tiles that are not as wide as a warp.
std::string label(const TimedVariant& v) { return v.tile == 16 ? v.name + " 16x16" : v.name; }

std::string variants_table(const Result& r) {
  std::string out = fmt::format("{:<24} {:>9} {:>9} {:>9} {:>8} {:>10} {:>9} {:>7}\n", "variant",
                                "min", "median", "max", "of copy", "iteration", "mean", "95 %");
  for (const TimedVariant& v : r.variants)
    out += fmt::format("{:<24} {:>9.1f} {:>9.1f} {:>9.1f} {:>8.3f} {:>10} {:>9.1f} {:>6.1f}%\n",
                       label(v), v.gbs.minimum, v.gbs.median, v.gbs.maximum, v.of_copy,
                       seconds_text(v.iteration_seconds.median), v.mean.gbs,
                       100 * v.mean.relative_half_width);
  for (const SkippedVariant& s : r.skipped)
    out += fmt::format("{:<24} left out: {}\n", s.name, s.reason);
  return out +
         "GB/s, read and written; of copy: ratio of the medians; mean: of the time of all "
         "iterations, 95 %:\nhalf of its confidence interval\n";
}

/// Of an iteration, the mean.
std::string split_table(const Result& r) {
  const auto of_iteration = [&](double seconds) {
    return seconds_text(seconds / static_cast<double>(r.iterations));
  };
  std::string out = fmt::format("{:<25} {:>10} {:>10} {:>10}\n", "an iteration's seconds in",
                                "pack", "exchange", "transpose");
  for (const TimedVariant& v : r.variants)
    if (v.split)
      out += fmt::format("{:<25} {:>10} {:>10} {:>10}\n", label(v), of_iteration(v.split->pack),
                         of_iteration(v.split->exchange), of_iteration(v.split->transpose));
  return out + (r.messages == name(Transport::Peer)
                    ? "kernels wrote straight into the other GPUs' B: nothing was packed or sent\n"
                    : "pack: until the messages leave; exchange: until all have come, with the "
                      "rank's own "
                      "tile\n");
}

}  // namespace

std::string text_report(const Result& r) {
  std::string out = aligned_lines(head(r)) + "\n";
  out += variants_table(r) + "\n";
  if (r.ranks != 1) out += split_table(r) + "\n";
  return out + aligned_lines(tail(r));
}

}  // namespace memstencil::transpose
