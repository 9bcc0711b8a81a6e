// The text that a person reads.
#include "app/transpose/report.hpp"

#include "app/common/report_head.hpp"
#include "app/common/text_report.hpp"
#include "app/model/advice.hpp"
#include "app/placement/placement_record.hpp"

#include <fmt/format.h>

namespace memstencil::transpose {

namespace {

/// The operation as a formula.
std::string operation_text(const Record& r) {
  if (r["operation"] == "in-place") return "A = A^T";
  return r["operation"] == "accumulate" ? "B += A^T" : "B = A^T";
}

Lines head(const Record& r) {
  Lines lines = banner(r);
  const Lines run{
      {"matrix", fmt::format("{}, {}, rows of A every {} elements, of B every {}", plain_text(r["size"]),
                             plain_text(r["type"]), r["pitch_a"].dump(), r["pitch_b"].dump())},
      {"operation", operation_text(r)},
      {"ranks", r["ranks"] == 1 ? std::string("1")
                                : fmt::format("{}, rows in blocks, messages {}", r["ranks"].dump(),
                                              plain_text(r["messages"]))},
      {"executor", execution_text(r)},
      {"memory", placement_text(r["memspace"])},
      {"first touch by", plain_text(r["first_touch"])},
      {"iterations", r["iterations"].dump()}};
  lines.insert(lines.end(), run.begin(), run.end());
  return lines;
}

Lines tail(const Record& r) {
  Lines lines;
  for (const auto& [name, seconds] : r["phases"].items())
    lines.emplace_back(name, seconds_text(seconds.get<double>()));
  if (r["limit"]["kind"] == "link")
    lines.emplace_back("link", bandwidth_text(r["limit"]["gbs"].get<double>() * 1e9) + " (copy engine)");
  if (r.contains("repeats"))
    lines.emplace_back("repeats", fmt::format("{}; above is the one in the middle", r["repeats"].size()));
  lines.emplace_back("verified", "yes, every element of every variant");
  return lines;
}

std::string variants_table(const Record& r) {
  std::string out = fmt::format("{:<18} {:>9} {:>9} {:>9} {:>8} {:>10}\n", "variant", "min", "median", "max",
                                "of copy", "iteration");
  for (const Record& v : r["variants"]) {
    out += fmt::format("{:<18} {:>9.1f} {:>9.1f} {:>9.1f} {:>8.3f} {:>10}\n", plain_text(v["name"]),
                       v["gbs"]["min"].get<double>(), v["gbs"]["median"].get<double>(),
                       v["gbs"]["max"].get<double>(), v["of_copy"].get<double>(),
                       seconds_text(v["iteration_seconds"]["median"].get<double>()));
  }
  for (const Record& s : r["skipped"])
    out += fmt::format("{:<18} left out: {}\n", plain_text(s["name"]), plain_text(s["reason"]));
  return out + "GB/s, read and written; of copy: ratio of the medians\n";
}

std::string split_table(const Record& r) {
  std::string out =
      fmt::format("{:<18} {:>10} {:>10} {:>10}\n", "seconds in", "pack", "exchange", "transpose");
  for (const Record& v : r["variants"])
    out += fmt::format("{:<18} {:>10} {:>10} {:>10}\n", plain_text(v["name"]),
                       seconds_text(v["split"]["pack"].get<double>()),
                       seconds_text(v["split"]["exchange"].get<double>()),
                       seconds_text(v["split"]["transpose"].get<double>()));
  return out;
}

std::string link_table(const Record& r) {
  std::string out = fmt::format("{:<18} {:>10} {:>16} {:>16}\n", "over the link", "asked for",
                                "32-byte sectors", "128-byte lines");
  for (const Record& v : r["variants"]) {
    if (!v.contains("link")) continue;
    const double asked = v["link"]["asked_bytes"].get<double>();
    const auto cell = [&](const char* key) {
      const double bytes = v["link"][key].get<double>();
      return fmt::format("{} x{:.2f}", bytes_text(bytes), bytes / asked);
    };
    out += fmt::format("{:<18} {:>10} {:>16} {:>16}\n", plain_text(v["name"]), bytes_text(asked),
                       cell("sector_bytes"), cell("line_bytes"));
  }
  return out + "bytes an iteration, derived from the access patterns, not measured\n";
}

std::string sizes_table(const Record& r) {
  std::string out = fmt::format("{:>8} {:<18} {:>9} {:>9} {:>9} {:>8}\n", "size", "variant", "min", "median",
                                "max", "of copy");
  for (const Record& row : r["sizes"])
    out += fmt::format("{:>8} {:<18} {:>9.1f} {:>9.1f} {:>9.1f} {:>8.3f}\n", row["size"].dump(),
                       plain_text(row["variant"]), row["min"].get<double>(), row["median"].get<double>(),
                       row["max"].get<double>(), row["of_copy"].get<double>());
  return out + "\n";
}

}  // namespace

std::string text_report(const Record& r) {
  std::string out = aligned_lines(head(r)) + "\n";
  if (r.contains("sizes")) out += sizes_table(r);
  out += variants_table(r) + "\n";
  if (r["ranks"] != 1) out += split_table(r) + "\n";
  if (r["limit"]["kind"] == "link" && r["ranks"] == 1) out += link_table(r) + "\n";
  out += aligned_lines(tail(r));
  return r.contains("prediction")
             ? out + "\n" + model::prediction_text(from_record<model::Advice>(r["prediction"], "the result"))
             : out;
}

}  // namespace memstencil::transpose
