// The sweeps of a run of a grid code: himeno, heat.
#include "app/compare/applications.hpp"
#include "app/compare/tree.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace memstencil::compare {

namespace {

/// "XL (512x512x1024)", or the extents where the size has no name.
std::string size_text(const Record& record) {
  const std::string size = text(record, "size");
  const std::string extents = fmt::format("{}", fmt::join(numbers(record, "extents"), "x"));
  return size == extents ? size : fmt::format("{} ({})", size, extents);
}

Members problem_of(const Record& record, int ranks) {
  Members members{{"size", size_text(record)}};
  const auto add = [&](const std::string& key, const std::string& value, const char* usual) {
    if (!value.empty() && value != usual) members.emplace_back(key, value);
  };
  add("sweep", text(record, "sweep"), "");
  add("layout", text_or(record, "layout"), "arrays");
  add("coefficients", text_or(record, "options.coefficients"), "standard");
  if (ranks > 1) add("ranks", fmt::format("{}", fmt::join(numbers(record, "ranks"), "x")), "");
  return members;
}

}  // namespace

std::vector<Sample> grid_samples(const Run& run, const Application& of) {
  const Record& record = run.record;
  Sample sample = common_sample(run, of);
  sample.what.problem = problem_of(record, sample.ranks);
  sample.steps = static_cast<std::int64_t>(number(record, "iterations"));
  const auto seconds = number_if(record, "options.seconds");
  // With --seconds the number of sweeps is the machine's.
  sample.what.steps =
      seconds ? fmt::format("for {} s", *seconds) : fmt::format("x {}", sample.steps);
  sample.bytes = of.bytes_a_point;
  const std::vector<double> extents = numbers(record, "extents");
  member(record, "extents");
  if (extents.size() != 3 || *std::min_element(extents.begin(), extents.end()) < 3)
    throw Failure(ExitCode::Other, "'extents' are not three of at least 3");
  if (numbers(record, "ranks").size() != 3) throw Failure(ExitCode::Other, "'ranks' are not three");
  for (const double extent : extents) sample.bytes *= extent;
  member(record, "sweeps.seconds");
  sample.series = numbers(record, "sweeps.seconds");
  sample.all_steps = number(record, "phases.sweeps");
  finish(sample);
  sample.unit = "GFLOPS";
  sample.speed = 1e-3 * number(record, of.speed);
  sample.bandwidth = number_or(record, "bandwidth_gbs", 0);
  // Where groups of arrays lie apart, no one memory is the limit.
  if (text(record, "memspace.effective").find('=') != std::string::npos) return {sample};
  sample.limit_kind = text(record, "limit.kind");
  sample.limit = number_or(record, "limit.gbs", 0);
  // The record's fraction is of all sweeps; at the median it is higher where some took longer.
  sample.fraction = number(record, "limit.fraction") * sample.all_steps /
                    (static_cast<double>(sample.steps) * sample.median);
  return {sample};
}

}  // namespace memstencil::compare
