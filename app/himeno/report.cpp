// The text that a person reads: the original's lines, with the report of the memory added.
#include "app/himeno/result.hpp"

#include <fmt/format.h>

namespace memstencil::himeno {

namespace {

/// The original's scale: a Pentium III at 600 MHz makes this many MFLOPS.
constexpr double pentium_iii_mflops = 82.84;

Lines head(const Result& r) {
  Lines lines = head_lines("himeno", r);
  lines.emplace_back("layout", r.layout == "packed"
                                   ? "packed, the coefficients of eight points side by side"
                                   : r.layout + ", as the original's");
  if (r.note) lines.emplace_back("note", *r.note);
  const std::string coefficients = option(r, "coefficients");
  if (!coefficients.empty() && coefficients != "standard")
    lines.emplace_back("coefficients", coefficients);
  return lines;
}

Lines rates(const Result& r) {
  Lines lines = rate_lines(r, {"MFLOPS", 1.0, jacobi::bytes_per_point});
  if (r.limit.kind == "link" && r.sweep == "single")
    lines.emplace_back("worth a trial",
                       "--sweep auto: single sweeps cross the link each time, streamed ones once");
  if (!(r.mflops_end_to_end > 0))
    lines.emplace_back("note",
                       "no MFLOPS: of a sweep the original counts 34 (I-3)(J-3)(K-3) operations, "
                       "none where an extent is 3");
  return lines;
}

/// The lines that the original ends with; scripts read them.
std::string original_ending(const Result& r) {
  return fmt::format(
      " Loop executed for {} times\n Gosa : {:.6e} \n MFLOPS measured : {:.6f}\tcpu : {:.6f}\n"
      " Score based on Pentium III 600MHz : {:.6f}\n",
      r.iterations, r.sums.back(), r.mflops, r.solve_seconds, r.mflops / pentium_iii_mflops);
}

std::string line_of(const TriedSweep& row) {
  const std::string kind = fmt::format("{:<12} {:<12} ", row.sweep, row.tile);
  if (row.refused) return kind + "not tried: " + *row.refused + "\n";
  const Spread& s = *row.sweep_seconds;
  return kind + fmt::format("{:>10} {:>10} {:>10} {:>9.3f}\n", seconds_text(s.minimum),
                            seconds_text(s.median), seconds_text(s.maximum), *row.fraction);
}

/// The kinds that --sweep auto tried.
std::string table(const Result& r) {
  if (!r.trial) return {};
  std::string out = fmt::format("{:<12} {:<12} {:>10} {:>10} {:>10} {:>9}\n", "sweep", "tile",
                                "min", "median", "max", "fraction");
  for (const TriedSweep& row : *r.trial) out += line_of(row);
  return out + "\n";
}

}  // namespace

std::string text_report(const Result& r) {
  return aligned_lines(head(r)) + "\n" + aligned_lines(time_lines(r)) + "\n" +
         aligned_lines(rates(r)) + "\n" + table(r) + original_ending(r);
}

}  // namespace memstencil::himeno
