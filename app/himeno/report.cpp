// The text that a person reads: the original's lines, with the report of the memory added.
#include "app/himeno/report.hpp"

#include "app/common/text_report.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

namespace memstencil::himeno {

namespace {

using Lines = std::vector<std::pair<std::string, std::string>>;

/// The original's scale: a Pentium III at 600 MHz makes this many MFLOPS.
constexpr double pentium_iii_mflops = 82.84;

std::string text(const Record& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

std::string memory_text(const Record& r) {
  const std::string requested = text(r["memspace"]["requested"]);
  const std::string effective = text(r["memspace"]["effective"]);
  const std::string allocation = text(r["memspace"]["allocation"]);
  if (requested == effective) return fmt::format("{} ({})", requested, allocation);
  return fmt::format("{} requested, {} effective ({})", requested, effective, allocation);
}

/// What runs where, from the facts of the machine where they are known.
Lines banner(const Record& r) {
  const Record& machine = r["machine"];
  if (!machine.contains("program")) return {};
  const Record& program = machine["program"];
  Lines lines{{"program", fmt::format("himeno {} (git {}), Kokkos {}, GPU backend {}",
                                      text(program["version"]), text(program["git_revision"]),
                                      text(program["kokkos"]), text(program["gpu_backend"]))},
              {"MPI", fmt::format("{}, device pointers {}", text(program["mpi"]["library"]),
                                  program["mpi"]["gpu_aware"] == true ? "accepted" : "not accepted")},
              {"host", text(machine["cpu"]["model"])}};
  if (!machine["gpu"].is_null())
    lines.emplace_back(
        "GPU", fmt::format("{}, driver {}, address translation {}", text(machine["gpu"]["name"]),
                           text(machine["gpu"]["driver"]), text(machine["gpu"]["address_translation"])));
  return lines;
}

Lines head(const Record& r) {
  const auto& ranks = r["ranks"];
  Lines lines = banner(r);
  const Lines run{
      {"size", fmt::format("{}: mimax = {} mjmax = {} mkmax = {}", text(r["size"]), r["extents"][0].dump(),
                           r["extents"][1].dump(), r["extents"][2].dump())},
      {"ranks", fmt::format("{} x {} x {}{}", ranks[0].dump(), ranks[1].dump(), ranks[2].dump(),
                            text(r["halo"]) == "none" ? "" : ", halo " + text(r["halo"]))},
      {"executor", fmt::format("{} ({}, {} host threads)", text(r["exec"]), text(r["execution"]["space"]),
                               r["execution"]["host_threads"].dump())},
      {"memory", memory_text(r)},
      {"first touch by", text(r["first_touch"])},
      {"sweep", fmt::format("{} ({})", text(r["sweep"]), text(r["sweep_kernel"]))},
      {"arithmetic",
       r["fma"].get<bool>() ? "multiply-add contracted (FMA)" : "not contracted, as the original's"}};
  lines.insert(lines.end(), run.begin(), run.end());
  if (r.contains("note")) lines.emplace_back("note", text(r["note"]));
  if (r["options"]["coefficients"] != "standard")
    lines.emplace_back("coefficients", text(r["options"]["coefficients"]));
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
                                   bandwidth_text(limit["gbs"].get<double>() * 1e9), text(limit["kind"]),
                                   limit["mflops"].get<double>())},
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
  const Record& p = r["phases"];
  const double cpu = p["sweeps"].get<double>() + p["halo"].get<double>() + p["reduce"].get<double>();
  return fmt::format(
      " Loop executed for {} times\n Gosa : {:.6e} \n MFLOPS measured : {:.6f}\tcpu : {:.6f}\n"
      " Score based on Pentium III 600MHz : {:.6f}\n",
      r["iterations"].get<std::int64_t>(), r["gosa"].get<double>(), rate, cpu, rate / pentium_iii_mflops);
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
         aligned_lines(rates(record)) + "\n" + history + original_ending(record);
}

std::string tune_report(const Record& record) {
  std::string out =
      fmt::format("size {}, {} memory, limit {} ({})\n", text(record["size"]), memory_text(record),
                  bandwidth_text(record["limit"]["gbs"].get<double>() * 1e9), text(record["limit"]["kind"]));
  out += fmt::format("{:<12} {:<12} {:>10} {:>10} {:>10} {:>9}\n", "sweep", "tile", "min", "median", "max",
                     "fraction");
  for (const Record& row : record["tune"]) {
    out += fmt::format("{:<12} {:<12} ", text(row["sweep"]), text(row["tile"]));
    if (row.contains("failed")) {
      out += "FAILED: " + text(row["failed"]) + "\n";
      continue;
    }
    if (row.contains("refused")) {
      out += "not tried: " + text(row["refused"]) + "\n";
      continue;
    }
    const Record& s = row["sweep_seconds"];
    out += fmt::format("{:>10} {:>10} {:>10} {:>9.3f}\n", seconds_text(s["min"].get<double>()),
                       seconds_text(s["median"].get<double>()), seconds_text(s["max"].get<double>()),
                       row["fraction"].get<double>());
  }
  return out +
         fmt::format("fastest: {} ({})\n", text(record["fastest"]["sweep"]), text(record["fastest"]["tile"]));
}

}  // namespace memstencil::himeno
