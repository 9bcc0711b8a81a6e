// The iterations of each variant of a run of transpose.
#include "app/compare/applications.hpp"
#include "app/compare/tree.hpp"

#include <fmt/format.h>

namespace memstencil::compare {

std::vector<Sample> transpose_samples(const Run& run, const Application& of) {
  const Record& record = run.record;
  Sample like = common_sample(run, of);
  const double rows = number(record, "rows"), columns = number(record, "columns");
  const std::string type = text(record, "type");
  const std::string operation = text_or(record, "operation", "plain");
  like.bytes = (operation == "in-place" ? 1 : 2) * rows * columns * (type == "double" ? 8 : 4);
  like.unit = "GB/s";
  like.limit_kind = text_or(record, "limit.kind");
  std::vector<Sample> samples;
  for (const Record& variant : member(record, "variants")) {
    Sample sample = like;
    sample.series = numbers(variant, "seconds");
    if (sample.series.empty()) continue;
    Members& problem = sample.what.problem;
    problem = {{"size", fmt::format("{:.0f} x {:.0f}", rows, columns)},
               {"type", type},
               {"variant", text(variant, "name")}};
    if (operation != "plain") problem.emplace_back("operation", operation);
    if (const std::string tile = text_or(variant, "tile", text_or(record, "options.tile"));
        !tile.empty() && tile != "32")
      problem.emplace_back("tile", tile);
    if (const std::string pitch = text_or(record, "options.pitch"); !pitch.empty())
      problem.emplace_back("pitch", pitch);
    if (sample.ranks > 1) problem.emplace_back("ranks", fmt::format("{}", sample.ranks));
    sample.steps = static_cast<std::int64_t>(sample.series.size());
    sample.what.steps = fmt::format("x {}", sample.steps);
    finish(sample);
    sample.speed = sample.bandwidth = number(variant, "gbs.median");
    sample.fraction = number_or(variant, "fraction", number_or(variant, "of_copy", 0));
    sample.limit = sample.fraction > 0 ? sample.bandwidth / sample.fraction : 0;
    samples.push_back(sample);
  }
  return samples;
}

}  // namespace memstencil::compare
