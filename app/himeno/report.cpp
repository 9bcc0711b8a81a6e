// The text that a person reads: the original's lines, with the report of the memory added.
#include "app/himeno/report.hpp"

#include "app/common/report_head.hpp"
#include "app/common/text_report.hpp"
#include "app/model/advice.hpp"
#include "app/placement/placement_record.hpp"

#include <fmt/format.h>

namespace memstencil::himeno {

namespace {

/// The original's scale: a Pentium III at 600 MHz makes this many MFLOPS.
constexpr double pentium_iii_mflops = 82.84;

/// What follows the numbers of ranks; nothing for one rank.
std::string halo_text(const Record& r) {
  if (r["halo"] == "none") return {};
  const std::string halo = ", halo " + plain_text(r["halo"]);
  return r.contains("halo_library") ? halo + " (" + plain_text(r["halo_library"]) + ")" : halo;
}

Lines head(const Record& r) {
  const auto& ranks = r["ranks"];
  Lines lines = banner(r);
  const Lines run{
      {"size", fmt::format("{}: mimax = {} mjmax = {} mkmax = {}", plain_text(r["size"]),
                           r["extents"][0].dump(), r["extents"][1].dump(), r["extents"][2].dump())},
      {"ranks",
       fmt::format("{} x {} x {}{}", ranks[0].dump(), ranks[1].dump(), ranks[2].dump(), halo_text(r))},
      {"executor", execution_text(r)},
      {"memory", placement_text(r["memspace"])},
      {"first touch by", plain_text(r["first_touch"])},
      {"sweep", fmt::format("{} ({})", plain_text(r["sweep"]), plain_text(r["sweep_kernel"]))},
      {"arithmetic",
       r["fma"].get<bool>() ? "multiply-add contracted (FMA)" : "not contracted, as the original's"}};
  lines.insert(lines.end(), run.begin(), run.end());
  if (r.contains("note")) lines.emplace_back("note", plain_text(r["note"]));
  if (r["options"]["coefficients"] != "standard")
    lines.emplace_back("coefficients", plain_text(r["options"]["coefficients"]));
  return lines;
}

Lines times(const Record& r) {
  Lines lines;
  for (const auto& [name, seconds] : r["phases"].items())
    lines.emplace_back(name, seconds_text(seconds.get<double>()));
  const Record& s = r["sweep_seconds"];
  lines.emplace_back(
      "one sweep", fmt::format("min {}, median {}, max {}, first {}", seconds_text(s["min"].get<double>()),
                               seconds_text(s["median"].get<double>()), seconds_text(s["max"].get<double>()),
                               seconds_text(s["first"].get<double>())));
  return lines;
}

Lines rates(const Record& r) {
  const Record& limit = r["limit"];
  Lines lines{
      {"bandwidth", fmt::format("{} (56 bytes a point and sweep)",
                                bandwidth_text(r["bandwidth_gbs"].get<double>() * 1e9))},
      {"memory limit", fmt::format("{} ({}, measured in this run): {:.1f} MFLOPS",
                                   bandwidth_text(limit["gbs"].get<double>() * 1e9),
                                   plain_text(limit["kind"]), limit["mflops"].get<double>())},
      {"fraction of limit", fmt::format("{:.3f}", limit["fraction"].get<double>())},
      {"end to end", fmt::format("{:.3f} MFLOPS over all phases", r["mflops_end_to_end"].get<double>())}};
  if (r.contains("repeats"))
    lines.emplace_back("repeats", fmt::format("{}: min {:.3f}, median {:.3f}, max {:.3f} MFLOPS",
                                              r["repeats"].size(), r["mflops_spread"]["min"].get<double>(),
                                              r["mflops_spread"]["median"].get<double>(),
                                              r["mflops_spread"]["max"].get<double>()));
  lines.emplace_back("verified", "yes");
  return lines;
}

/// The lines that the original ends with; scripts read them.
std::string original_ending(const Record& r) {
  const double rate = r["mflops"].get<double>();
  return fmt::format(
      " Loop executed for {} times\n Gosa : {:.6e} \n MFLOPS measured : {:.6f}\tcpu : {:.6f}\n"
      " Score based on Pentium III 600MHz : {:.6f}\n",
      r["iterations"].get<std::int64_t>(), r["gosa"].get<double>(), rate, r["solve_seconds"].get<double>(),
      rate / pentium_iii_mflops);
}

}  // namespace

std::string text_report(const Record& record) {
  std::string history;
  if (record.contains("gosa_history")) {
    history = "gosa of each sweep\n";
    std::size_t sweep = 0;
    for (const auto& gosa : record["gosa_history"])
      history += fmt::format("  {:>8}  {:.9e}\n", ++sweep, gosa.get<double>());
    history += "\n";
  }
  return aligned_lines(head(record)) + "\n" + aligned_lines(times(record)) + "\n" +
         aligned_lines(rates(record)) + "\n" + history +
         (record.contains("prediction")
              ? model::prediction_text(from_record<model::Advice>(record["prediction"], "the result")) + "\n"
              : "") +
         original_ending(record);
}

std::string tune_report(const Record& record) {
  std::string out = fmt::format(
      "size {}, {} memory, limit {} ({})\n", plain_text(record["size"]), placement_text(record["memspace"]),
      bandwidth_text(record["limit"]["gbs"].get<double>() * 1e9), plain_text(record["limit"]["kind"]));
  out += fmt::format("{:<12} {:<12} {:>10} {:>10} {:>10} {:>9}\n", "sweep", "tile", "min", "median", "max",
                     "fraction");
  for (const Record& row : record["tune"]) {
    out += fmt::format("{:<12} {:<12} ", plain_text(row["sweep"]), plain_text(row["tile"]));
    if (row.contains("failed")) {
      out += "FAILED: " + plain_text(row["failed"]) + "\n";
      continue;
    }
    if (row.contains("refused")) {
      out += "not tried: " + plain_text(row["refused"]) + "\n";
      continue;
    }
    const Record& s = row["sweep_seconds"];
    out += fmt::format("{:>10} {:>10} {:>10} {:>9.3f}\n", seconds_text(s["min"].get<double>()),
                       seconds_text(s["median"].get<double>()), seconds_text(s["max"].get<double>()),
                       row["fraction"].get<double>());
  }
  return out + fmt::format("fastest: {} ({})\n", plain_text(record["fastest"]["sweep"]),
                           plain_text(record["fastest"]["tile"]));
}

}  // namespace memstencil::himeno
