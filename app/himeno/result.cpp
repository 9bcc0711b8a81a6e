// himeno's result: its record, and the text that a person reads: the original's lines, with the
// report of the memory added.
#include "app/himeno/result.hpp"

#include "kernels/jacobi/stream_schedule.hpp"
#include "memory_spaces/memory_space.hpp"

#include <fmt/format.h>

namespace memstencil::himeno {

namespace {

/// The original's scale: a Pentium III at 600 MHz makes this many MFLOPS.
constexpr double pentium_iii_mflops = 82.84;

Lines lines_of(const Result& r) {
  Lines lines = case_lines("himeno", r);
  lines.emplace_back("layout",
                     r.layout == "packed"
                         ? "packed, the coefficients of eight points next to each other"
                         : r.layout + ", as the original's",
                     r.layout == "packed");
  if (r.note) lines.push_back(note(*r.note));
  const std::string coefficients = option(r, "coefficients");
  if (!coefficients.empty() && coefficients != "standard")
    lines.emplace_back("coefficients", coefficients, true);
  append(lines, rate_lines(r, jacobi::bytes_per_point));
  if (r.limit.kind == "link" && r.sweep == "single")
    lines.emplace_back("worth a trial",
                       "--sweep auto: single sweeps cross the link each time, streamed ones once",
                       true);
  if (option(r, "allocation") == name(Allocation::Compressible) &&
      option(r, "coefficients") == "standard")
    lines.push_back(
        note("the GPU compresses the constant coefficients; --coefficients random:1 shows memory "
             "that does not compress"));
  if (!(r.mflops > 0))
    lines.push_back(
        note("no GFLOPS: of a sweep the original counts 34 (I-3)(J-3)(K-3) operations, "
             "none if an extent is 3"));
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

void RunResult::describe(Archive& a) const {
  a("gosa", sums.back());
  GridRun::describe(a);
}

void Result::describe(Archive& a) const {
  describe_as("himeno", a);
  a("layout", layout);
  a("gosa", sums.back());
  MEMSTENCIL_MEMBERS(a, note, trial, repeats);
}

SweepCost cost_of_sweep(const Triple& g) {
  return {.bytes = jacobi::bytes_per_point * updated_points(g),
          .flops = jacobi::flops_per_point * static_cast<double>(g[0] - 3) *
                   static_cast<double>(g[1] - 3) * static_cast<double>(g[2] - 3)};
}

Result make_result(const Plan& plan, const std::vector<RunResult>& repeats) {
  auto result = result_of<Result>(plan, repeats);
  result.sweep = name(plan.sweep.kind);
  result.layout = name(plan.own.layout);
  if (plan.sweep.seams > 0 && !plan.subdomain.alone())
    result.note = fmt::format(
        "streamed sweeps of several ranks make {:.0f} % more points than their own, one sweep a "
        "kernel: one rank that has all points fuses them",
        100 * jacobi::points_made_twice(plan.subdomain.grid, plan.sweep.kind.sweeps));
  return result;
}

std::string text_report(const Result& r, bool verbose) {
  return answer_text("himeno", r) + blocks_of(lines_of(r), verbose) + "\n" + table(r) +
         original_ending(r);
}

}  // namespace memstencil::himeno
