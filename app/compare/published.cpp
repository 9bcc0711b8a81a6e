// Our results next to published figures.
#include "app/compare/document.hpp"
#include "app/compare/probe_rows.hpp"
#include "app/compare/reference.hpp"
#include "app/compare/tree.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace memstencil::compare {

namespace {

/// A result of ours as references name it: flat members, and figures by their unit or column.
struct Ours {
  std::string program, probe, label;
  Record members = Record::object();
  std::map<std::string, double> figures = {};
};

Ours ours(const Sample& sample) {
  const Record& record = sample.run->record;
  Ours out{.program = sample.run->program, .probe = "", .label = label(sample.what)};
  for (const char* key :
       {"size", "iterations", "exec", "first_touch", "sweep", "rows", "columns", "type"})
    if (const Record* value = find(record, key); value != nullptr) out.members[key] = *value;
  out.members["memspace"] = text(record, "memspace.effective");
  const Record& ranks = member(record, "ranks");
  out.members["ranks"] = ranks.is_array()
                             ? fmt::format("{}", fmt::join(numbers(record, "ranks"), "x"))
                             : plain_text(ranks);
  for (const char* key : {"variant", "tile"})
    if (const std::string value = value_of(sample.what.problem, key); !value.empty())
      out.members[key] = value;
  out.figures = {{sample.unit, sample.speed}, {"GB/s", sample.bandwidth}, {"times", sample.speed}};
  return out;
}

Ours ours(const ProbeRow& row) {
  Ours out{.program = "membench", .probe = row.probe, .label = row.probe + ", " + row.label};
  out.members = cells_of(row);
  for (const auto& [name, value] : out.members.items())
    if (value.is_number()) out.figures[name] = value.get<double>();
  if (row.column.empty()) return out;
  for (const std::string& name : {row.column, unit_of_column(row.column), std::string("times")})
    out.figures[name] = row.value;
  return out;
}

std::vector<Ours> results_of(const Side& side) {
  std::vector<Ours> all;
  for (const Group& group : side.groups) all.push_back(ours(group.middle()));
  for (const Run* run : side.runs)
    if (run->program == "membench")
      for (const ProbeRow& row : probe_rows(*run)) all.push_back(ours(row));
  return all;
}

/// The figure of a result that has these members; nothing where it is another one.
std::optional<double> figure_of(const PublishedFigure& figure, const Record& members,
                                const Ours& result) {
  if (result.program != figure.program || result.probe != figure.probe) return {};
  for (const auto& [key, value] : members.items())
    if (!result.members.contains(key) || result.members[key] != value) return {};
  const auto found = result.figures.find(figure.column.empty() ? figure.unit : figure.column);
  return found == result.figures.end() ? std::nullopt : std::optional(found->second);
}

/// As `minus` or `over` says, against the result of the same side with those members.
std::optional<double> against_other(const PublishedFigure& figure, double own, const Ours& result,
                                    const std::vector<Ours>& results) {
  const auto& against = figure.minus ? figure.minus : figure.over;
  if (!against) return own;
  Record wanted = figure.where;
  wanted.update(*against);
  for (const Ours& other : results)
    if (&other != &result)
      if (const auto value = figure_of(figure, wanted, other))
        return figure.minus ? own - *value : own / *value;
  return {};
}

struct Found {
  const Ours* result;
  double ours, bytes;
};

/// Where the figure names no size, the largest of ours stands next to it; of equal ones the first.
std::vector<Found> found_in(const PublishedFigure& figure, const std::vector<Ours>& results) {
  std::vector<Found> all, kept;
  double most = 0;
  for (const Ours& result : results)
    if (const auto own = figure_of(figure, figure.where, result))
      if (const auto value = against_other(figure, *own, result, results);
          value && std::isfinite(*value)) {
        all.push_back({&result, *value, number_or(result.members, "bytes", 0)});
        most = std::max(most, all.back().bytes);
      }
  if (figure.where.contains("bytes")) return all;
  for (const Found& each : all)
    if (each.bytes == most && std::none_of(kept.begin(), kept.end(), [&](const Found& other) {
          return other.ours == each.ours;
        }))
      kept.push_back(each);
  return kept;
}

/// Within the range 1; otherwise over its nearer end.
Record ratio_to(const PublishedFigure& figure, double value) {
  const double nearest = value < figure.low ? figure.low : std::min(value, figure.high);
  return nearest == 0 ? Record() : Record(value / nearest);
}

Record row_of(const Reference& reference, const PublishedFigure& figure) {
  return {{"source", reference.title},
          {"citation", reference.source},
          {"program", figure.program},
          {"probe", figure.probe},
          {"where", figure.where},
          {"note", figure.note},
          {"low", figure.low},
          {"high", std::isinf(figure.high) ? Record() : Record(figure.high)},
          {"published", figure.range()},
          {"unit", figure.unit},
          {"difference", figure.minus.has_value()},
          {"side", Record()},
          {"case", ""},
          {"ours", Record()},
          {"to_published", Record()}};
}

}  // namespace

Record published_rows(const std::vector<Reference>& references, const std::vector<Side>& sides) {
  std::vector<std::vector<Ours>> results;
  if (!references.empty())
    for (const Side& side : sides) results.push_back(results_of(side));
  Record rows = Record::array();
  for (const Reference& reference : references)
    for (const PublishedFigure& figure : reference.figures) {
      const std::size_t before = rows.size();
      Record row = row_of(reference, figure);
      for (std::size_t s = 0; s < sides.size(); ++s)
        for (const Found& each : found_in(figure, results[s])) {
          row.update({{"side", sides[s].name},
                      {"case", each.result->label},
                      {"ours", each.ours},
                      {"to_published", ratio_to(figure, each.ours)}});
          rows.push_back(row);
        }
      if (rows.size() == before) rows.push_back(row);
    }
  return rows;
}

std::vector<std::string> published_sentences(const Record& rows) {
  struct Count {
    std::size_t figures = 0, with = 0;
    double low = 0, high = 0;
  };
  std::vector<std::pair<std::string, Count>> sources;
  const Record* before = nullptr;
  for (const Record& row : rows) {
    if (sources.empty() || sources.back().first != text(row, "source"))
      sources.emplace_back(text(row, "source"), Count{});
    Count& of = sources.back().second;
    const bool found = find(row, "side") != nullptr;
    const bool same = before != nullptr && before->at("where") == row.at("where") &&
                      before->at("note") == row.at("note");
    if (!same) ++of.figures, of.with += found ? 1 : 0;
    before = &row;
    // A ratio of differences is no distance.
    const auto ratio = number_if(row, "to_published");
    if (!ratio || row.at("difference") == true) continue;
    of.low = of.low == 0 ? *ratio : std::min(of.low, *ratio);
    of.high = std::max(of.high, *ratio);
  }
  std::vector<std::string> sentences;
  for (const auto& [source, of] : sources)
    sentences.push_back(fmt::format(
        "{}: {} of its {} figures stand next to a result{}.", source, of.with, of.figures,
        of.low > 0 ? fmt::format("; ours over the published {:.2f} to {:.2f}", of.low, of.high)
                   : ""));
  return sentences;
}

}  // namespace memstencil::compare
