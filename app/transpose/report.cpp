// The text that a person reads.
#include "app/base/record/report_head.hpp"
#include "app/base/record/spread_note.hpp"
#include "app/base/record/text_report.hpp"
#include "app/transpose/result.hpp"

#include <fmt/format.h>

namespace memstencil::transpose {

namespace {

/// The operation as a formula.
std::string operation_text(const Result& r) {
  if (r.operation == "in-place") return "A = A^T";
  return r.operation == "accumulate" ? "B += A^T" : "B = A^T";
}

bool confident(const Result& r) {
  return r.options.contains("confidence") && r.options["confidence"] == true;
}

std::string iterations_text(const Result& r) {
  if (!confident(r)) return std::to_string(r.iterations);
  return fmt::format("at most {}, until the 95 % interval of the mean is within 5 %", r.iterations);
}

Lines head(const Result& r) {
  Lines lines = banner("transpose", r.machine, r.provenance);
  append(lines,
         {{"matrix", fmt::format("{}, {}, rows of A every {} elements, of B every {}", r.size,
                                 r.type, r.pitch_a.value_or(0), r.pitch_b.value_or(0))},
          {"operation", operation_text(r)},
          {"ranks", r.ranks == 1
                        ? std::string("1")
                        : fmt::format("{}, rows in blocks, messages {}", r.ranks, r.messages)},
          {"executor", text(r.exec, r.execution)},
          {"memory", text(r.memspace)},
          {"first touch by", r.first_touch},
          {"iterations", iterations_text(r)}});
  append(lines, memory_lines(r.machine, effective_spaces(r.memspace)));
  return lines;
}

/// Of the variants whose energy was measured, or why it was of none; clocks that were held down.
Lines energies(const Result& r) {
  Lines lines;
  std::optional<std::string> left_out;
  bool measured = false;
  for (const Result::Variant& v : r.variants) {
    if (!v.energy) continue;
    if (v.energy->left_out)
      left_out = v.energy->left_out;
    else
      measured = true;
    if (v.energy->left_out && !v.energy->hosts && !v.energy->throttled()) continue;
    for (const auto& [name, text] : lines_of(*v.energy))
      if (name != "energy") lines.emplace_back(v.name + ", " + name, text);
  }
  if (!measured && left_out) lines.emplace_back("energy", "left out: " + *left_out);
  return lines;
}

/// Of the first variant whose iterations take very different times.
Lines spread_line(const Result& r) {
  for (const Result::Variant& v : r.variants)
    if (v.iteration_seconds)
      if (Lines lines = spread_note("transpose", *v.iteration_seconds, r.provenance);
          !lines.empty())
        return lines;
  return {};
}

Lines tail(const Result& r) {
  Lines lines;
  for (const auto& [name, seconds] : r.phases) lines.emplace_back(name, seconds_text(seconds));
  if (r.exec == "host") append(lines, spread_line(r));
  if (r.limit.kind == "link")
    lines.emplace_back("link", bandwidth_text(r.limit.gbs * 1e9) + " (copy engine)");
  if (r.repeats)
    lines.emplace_back("repeats",
                       fmt::format("{}; above is the one in the middle", r.repeats->size()));
  append(lines, energies(r));
  lines.emplace_back("verified", "yes, every element of every variant");
  return lines;
}

/// The bandwidth of a variant (at one size).
template <class Row>
std::string rates(const std::string& name, const Row& row) {
  return fmt::format("{:<22} {:>9.1f} {:>9.1f} {:>9.1f} {:>8.3f}", name, row.gbs.minimum,
                     row.gbs.median, row.gbs.maximum, row.of_copy);
}

/// The end of a row: the mean of its iterations, and how sure it is.
template <class Row>
std::string mean_columns(const Row& row) {
  const Result::Mean mean = row.mean.value_or(Result::Mean());
  return fmt::format(" {:>9.1f} {:>6.1f}% {:>5}\n", mean.gbs, 100 * mean.relative_half_width,
                     row.seconds.size());
}

std::string variants_table(const Result& r) {
  std::string out =
      fmt::format("{:<22} {:>9} {:>9} {:>9} {:>8} {:>10} {:>9} {:>7} {:>5}\n", "variant", "min",
                  "median", "max", "of copy", "iteration", "mean", "95 %", "n");
  for (const Result::Variant& v : r.variants)
    out += fmt::format("{} {:>10}", rates(v.name, v),
                       seconds_text(v.iteration_seconds.value_or(Spread()).median)) +
           mean_columns(v);
  for (const Result::Skipped& s : r.skipped)
    out += fmt::format("{:<22} left out: {}\n", s.name, s.reason);
  out +=
      "GB/s, read and written; of copy: ratio of the medians; mean: of the time of n iterations, "
      "95 %:\nhalf of its confidence interval\n";
  for (const Result::Variant& v : r.variants)
    if (confident(r) && v.mean)
      out += fmt::format("{:<22} stopped after {} iterations: {}\n", v.name, v.seconds.size(),
                         v.mean->stopped);
  return out;
}

/// Do messages of GPUs go by MPI? Then they are no measure of the link: many libraries pass them
/// through the host's memory.
bool bound_is_of_mpi(const Result& r) {
  return r.bound && r.bound->binds == "messages" && r.exec == "device" &&
         (r.bound->path == "staged" || r.bound->path == "device");
}

std::string split_table(const Result& r) {
  const std::string fraction = bound_is_of_mpi(r) ? "of path" : "of bound";
  std::string out = fmt::format("{:<22} {:>10} {:>10} {:>10} {:>9}\n", "seconds in", "pack",
                                "exchange", "transpose", fraction);
  const auto line = [&out](const std::string& what, const Result::Split& split,
                           const std::string& end) {
    out += fmt::format("{:<22} {:>10} {:>10} {:>10} {:>9}\n", what, seconds_text(split.pack),
                       seconds_text(split.exchange), seconds_text(split.transpose), end);
  };
  for (const Result::Variant& v : r.variants)
    if (v.split) line(v.name, *v.split, v.of_bound ? fmt::format("{:.3f}", *v.of_bound) : "");
  if (!r.bound) return out;
  const Result::Bound& bound = *r.bound;
  line("each alone, once", bound.alone, "");
  const bool stored = std::all_of(r.variants.begin(), r.variants.end(),
                                  [](const auto& v) { return !v.split || v.split->exchange == 0; });
  return out +
         fmt::format(
             "{}\nbound of an iteration: {}, by its {}: {} out of a rank at {} take {},\n"
             "and {} read and written as fast as by the copy take {}\n{}",
             stored
                 ? "tiles were turned straight into the other GPUs' B: nothing was packed or sent"
                 : "pack: until the first messages leave; exchange: until the last have come, "
                   "with packing and turning",
             seconds_text(bound.seconds), bound.binds, bytes_text(bound.message_bytes),
             bandwidth_text(bound.message_gbs * 1e9), seconds_text(bound.message_seconds),
             bytes_text(bound.memory_bytes), seconds_text(bound.memory_seconds),
             bound_is_of_mpi(r)
                 ? fmt::format("of path: of what messages by path {} take alone, which need not be "
                               "the limit of the link between GPUs\n",
                               bound.path)
                 : "");
}

std::string sizes_table(const Result& r) {
  std::string out = fmt::format("{:>8} {:<22} {:>9} {:>9} {:>9} {:>8} {:>9} {:>7} {:>5}\n", "size",
                                "variant", "min", "median", "max", "of copy", "mean", "95 %", "n");
  for (const Result::Size& row : *r.sizes)
    out += fmt::format("{:>8} {}", row.size, rates(row.variant, row)) + mean_columns(row);
  return out + "\n";
}

}  // namespace

std::string text_report(const Result& r) {
  std::string out = aligned_lines(head(r)) + "\n";
  if (r.sizes) out += sizes_table(r);
  out += variants_table(r) + "\n";
  if (r.ranks != 1) out += split_table(r) + "\n";
  return out + aligned_lines(tail(r));
}

}  // namespace memstencil::transpose
