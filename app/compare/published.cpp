// Our results next to published figures.
#include "app/compare/probe_rows.hpp"
#include "app/compare/reference.hpp"
#include "app/compare/table.hpp"
#include "app/compare/tree.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
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
  for (const char* key : {"size", "iterations", "exec", "first_touch", "sweep", "rows", "columns",
                          "type", "operation"})
    if (const Record* value = find(record, key); value != nullptr) out.members[key] = *value;
  if (!out.members.contains("operation")) out.members["operation"] = "plain";
  out.members["memspace"] = text(record, "memspace.effective");
  const std::vector<double> ranks =
      member(record, "ranks").is_array() ? numbers(record, "ranks") : std::vector<double>{};
  out.members["ranks"] =
      ranks.empty() ? text(record, "ranks") : fmt::format("{}", fmt::join(ranks, "x"));
  for (const char* key : {"variant", "tile"})
    if (const std::string value = value_of(sample.what.problem, key); !value.empty())
      out.members[key] = value;
  out.figures[sample.unit] = sample.speed;
  out.figures["GB/s"] = sample.bandwidth;
  out.figures["times"] = sample.speed;
  return out;
}

Ours ours(const ProbeRow& row) {
  Ours out{.program = "membench", .probe = row.probe, .label = row.probe + ", " + row.label};
  for (const auto& [name, value] : row.row.cells) {
    if (const auto* number = std::get_if<double>(&value)) {
      out.members[name] = *number;
      out.figures[name] = *number;
    } else {
      out.members[name] = std::get<std::string>(value);
    }
  }
  if (row.column.empty()) return out;
  out.figures[row.column] = row.value;
  out.figures[unit_of_column(row.column)] = row.value;
  out.figures["times"] = row.value;
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

std::optional<double> figure_of(const PublishedFigure& figure, const Ours& result) {
  const auto found = result.figures.find(figure.column.empty() ? figure.unit : figure.column);
  return found == result.figures.end() ? std::nullopt : std::optional(found->second);
}

bool fits(const PublishedFigure& figure, const Record& members, const Ours& result) {
  if (result.program != figure.program || result.probe != figure.probe) return false;
  for (const auto& [key, value] : members.items())
    if (!result.members.contains(key) || result.members[key] != value) return false;
  return figure_of(figure, result).has_value();
}

/// The figure of the result of the same side that differs as `against` says.
std::optional<double> other_figure(const PublishedFigure& figure, const Record& where,
                                   const Record& against, const Ours& result,
                                   const std::vector<Ours>& results) {
  Record wanted = where;
  wanted.update(against);
  for (const Ours& other : results)
    if (&other != &result && fits(figure, wanted, other)) return figure_of(figure, other);
  return std::nullopt;
}

/// Within the range 1; otherwise over its nearer end.
std::optional<double> ratio_to(const PublishedFigure& figure, double value) {
  const double nearest = value < figure.low ? figure.low : std::min(value, figure.high);
  return nearest == 0 ? std::nullopt : std::optional(value / nearest);
}

std::string other_memory_text(const PublishedFigure& figure) {
  std::vector<std::string> texts;
  for (const auto& [key, other] : figure.beside.items())
    texts.push_back(fmt::format("other {}: {} in the source", key, text(figure.where, key)));
  return fmt::format("{}", fmt::join(texts, "; "));
}

/// Where the figure names no size, the largest of ours stands next to it; of equal ones the first.
void keep_largest(const PublishedFigure& figure, std::vector<Published>& found,
                  const std::vector<double>& bytes) {
  if (figure.where.contains("bytes") || found.empty()) return;
  const double most = *std::max_element(bytes.begin(), bytes.end());
  std::vector<Published> kept;
  for (std::size_t n = 0; n < found.size(); ++n)
    if (bytes[n] == most && std::none_of(kept.begin(), kept.end(), [&](const Published& each) {
          return each.ours == found[n].ours;
        }))
      kept.push_back(found[n]);
  found = kept;
}

std::vector<Published> of_side(const Reference& reference, const PublishedFigure& figure,
                               const Record& where, const std::string& side,
                               const std::vector<Ours>& results) {
  std::vector<Published> found;
  std::vector<double> bytes;
  for (const Ours& result : results) {
    if (!fits(figure, where, result)) continue;
    Published row{&reference, &figure, side, result.label, *figure_of(figure, result), {}, ""};
    if (figure.minus || figure.over) {
      const auto other =
          other_figure(figure, where, figure.minus ? *figure.minus : *figure.over, result, results);
      if (!other || (figure.over && *other == 0)) continue;
      row.ours = figure.minus ? row.ours - *other : row.ours / *other;
    }
    row.ratio = ratio_to(figure, row.ours);
    found.push_back(row);
    bytes.push_back(number_or(result.members, "bytes", 0));
  }
  keep_largest(figure, found, bytes);
  return found;
}

}  // namespace

std::vector<Published> published(const std::vector<Reference>& references,
                                 const std::vector<Side>& sides) {
  std::vector<std::vector<Ours>> results;
  if (!references.empty())
    for (const Side& side : sides) results.push_back(results_of(side));
  std::vector<Published> all;
  for (const Reference& reference : references)
    for (const PublishedFigure& figure : reference.figures) {
      const std::size_t before = all.size();
      Record elsewhere = figure.where;
      elsewhere.update(figure.beside);
      for (std::size_t s = 0; s < sides.size(); ++s) {
        auto found = of_side(reference, figure, figure.where, sides[s].name, results[s]);
        if (found.empty() && !figure.beside.empty()) {
          found = of_side(reference, figure, elsewhere, sides[s].name, results[s]);
          for (Published& each : found) each.differs = other_memory_text(figure);
        }
        all.insert(all.end(), found.begin(), found.end());
      }
      if (all.size() == before) all.push_back({&reference, &figure, "", "", 0, {}, ""});
    }
  return all;
}

std::vector<std::string> in_words(const std::vector<Published>& rows) {
  std::vector<std::string> sentences;
  for (auto first = rows.begin(); first != rows.end();) {
    const Reference& reference = *first->reference;
    const auto last = std::find_if(
        first, rows.end(), [&](const Published& each) { return each.reference != &reference; });
    std::size_t with = 0;
    double low = 0, high = 0;
    const PublishedFigure* counted = nullptr;
    for (auto each = first; each != last; ++each) {
      if (each->side.empty()) continue;
      if (each->figure != counted) ++with;
      counted = each->figure;
      // How far apart is said of equal cases alone; and a ratio of differences is no distance.
      if (!each->differs.empty() || each->figure->minus || !each->ratio) continue;
      low = low == 0 ? *each->ratio : std::min(low, *each->ratio);
      high = std::max(high, *each->ratio);
    }
    std::string text = fmt::format("{}: {} of its {} figures stand next to a result",
                                   reference.title, with, reference.figures.size());
    if (low > 0) text += fmt::format("; ours over the published {:.2f} to {:.2f}", low, high);
    sentences.push_back(text + ".");
    first = last;
  }
  return sentences;
}

}  // namespace memstencil::compare
