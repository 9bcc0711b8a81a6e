// Figures of ours that stand beside published ones.
#include "app/compare/counterparts.hpp"

#include "app/base/record/report_head.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace memstencil::compare {

namespace {

/// "memspace device": what a difference is to, and a ratio over.
std::string members_text(const Record& members) {
  std::vector<std::string> texts;
  for (const auto& [key, value] : members.items())
    texts.push_back(fmt::format("{} {}", key, plain_text(value)));
  return fmt::format("{}", fmt::join(texts, ", "));
}

std::string described(const PublishedFigure& figure) {
  std::string text = figure.program;
  text += ", " + members_text(figure.where);
  if (figure.settled) text += ", once it has settled";
  if (figure.minus) return text + ", difference to " + members_text(*figure.minus);
  return figure.over ? text + ", ratio over " + members_text(*figure.over) : text;
}

std::optional<double> value_of(const PublishedFigure& figure, const Entry& entry) {
  return figure.settled ? entry.settled : std::optional(entry.value.median);
}

/// A name says what the other members say, so it differs where they do; it counts where the
/// figure names it.
Record without_name(Record identity, const Record& names) {
  if (!names.contains("name")) identity.erase("name");
  return identity;
}

/// The figure of the entry of the same side that differs as `against` says.
std::optional<double> other_figure(const PublishedFigure& figure, const Record& against,
                                   const Entry& entry, const Side& side) {
  Record wanted = without_name(entry.identity, against);
  wanted.update(against);
  for (const Entry& other : side.entries)
    if (other.table == entry.table && other.unit == entry.unit &&
        without_name(other.identity, against) == wanted)
      if (const auto value = value_of(figure, other)) return value;
  return std::nullopt;
}

std::optional<Counterpart> counterpart(const PublishedFigure& figure, const Entry& entry,
                                       const Side& side) {
  const std::optional<double> mine = value_of(figure, entry);
  if (!mine) return std::nullopt;
  Counterpart found{.side = &side, .entry = &entry, .ours = *mine};
  if (!figure.minus && !figure.over) return found;
  const auto other = other_figure(figure, figure.minus ? *figure.minus : *figure.over, entry, side);
  if (!other || (figure.over && *other == 0)) return std::nullopt;
  found.ours = figure.minus ? *mine - *other : *mine / *other;
  found.origin = figure.minus ? *other : 0;
  return found;
}

std::vector<Counterpart> of_side(const PublishedFigure& figure, const Record& members,
                                 const Side& side) {
  std::vector<Counterpart> found;
  for (const Entry& entry : side.entries)
    if (figure.fits(entry, members))
      if (const auto each = counterpart(figure, entry, side)) found.push_back(*each);
  return found;
}

std::string other_memory_text(const PublishedFigure& figure) {
  std::vector<std::string> texts;
  for (const auto& [key, other] : figure.beside.items())
    texts.push_back(fmt::format("other {}: {} in the source", key, text_of(figure.where, key)));
  return fmt::format("{}", fmt::join(texts, "; "));
}

/// Within the range 1; otherwise against its nearer end.
Record ratio_to(const PublishedFigure& figure, double value) {
  const double nearest = value < figure.low ? figure.low : std::min(value, figure.high);
  return nearest == 0 ? Record() : Record(value / nearest);
}

/// "device copy kernel, 4.000 GB: 4264 against 3200 GB/s (1.33 x)"
std::string against_text(const PublishedFigure& figure, const Counterpart& ours) {
  return fmt::format("{}, {}: {} against {} {} ({})", ours.side->label, full_label(*ours.entry),
                     number_text(ours.ours), figure.range(), figure.unit,
                     cell_text({"", Show::Times}, ratio_to(figure, ours.ours)));
}

std::string in_words(const Reference& reference, const std::vector<Side>& sides) {
  std::size_t with = 0, other_memory = 0;
  double lowest = 1, highest = 1;
  std::string below, above;
  for (const PublishedFigure& figure : reference.figures) {
    const std::vector<Counterpart> found = counterparts(figure, sides);
    const auto marked = [](const Counterpart& each) { return !each.differs.empty(); };
    with += found.empty() ? 0 : 1;
    other_memory += !found.empty() && std::all_of(found.begin(), found.end(), marked) ? 1 : 0;
    for (const Counterpart& ours : found) {
      const Record ratio = ratio_to(figure, ours.ours);
      // How far apart is said of equal cases alone; and a ratio of differences is no distance.
      if (!ours.differs.empty() || figure.minus || ratio.is_null()) continue;
      const double times = ratio.get<double>();
      if (times < lowest) below = against_text(figure, ours);
      if (times > highest) above = against_text(figure, ours);
      lowest = std::min(lowest, times);
      highest = std::max(highest, times);
    }
  }
  std::string text =
      fmt::format("{}: of its {} figures {} stand beside a result", reference.title,
                  reference.figures.size(), with == 0 ? "none" : std::to_string(with));
  if (other_memory > 0) text += fmt::format(", {} of these in another memory", other_memory);
  if (!below.empty()) text += ". Farthest below: " + below;
  if (!above.empty()) text += ". Farthest above: " + above;
  return text + ".";
}

}  // namespace

std::vector<Counterpart> counterparts(const PublishedFigure& figure,
                                      const std::vector<Side>& sides) {
  Record elsewhere = figure.where;
  elsewhere.update(figure.beside);
  std::vector<Counterpart> all;
  for (const Side& side : sides) {
    std::vector<Counterpart> found = of_side(figure, figure.where, side);
    if (found.empty() && !figure.beside.empty()) {
      found = of_side(figure, elsewhere, side);
      for (Counterpart& each : found) each.differs = other_memory_text(figure);
    }
    all.insert(all.end(), found.begin(), found.end());
  }
  return all;
}

std::string in_plots(const PublishedFigure& figure) {
  std::string text = std::isinf(figure.high) ? fmt::format("at least {:g}", figure.low)
                     : figure.low == figure.high
                         ? fmt::format("{:g}", figure.low)
                         : fmt::format("{:g} to {:g}", figure.low, figure.high);
  if (!figure.minus) return text;
  std::vector<std::string> members;
  for (const auto& [key, value] : figure.minus->items())
    if (key != "name") members.push_back(plain_text(value));
  return fmt::format("{} against {}", text, fmt::join(members, ", "));
}

Table published_table(const Reference& reference, const std::vector<Side>& sides) {
  Table table{.title = fmt::format("Beside published figures: {}", reference.title),
              .columns = {{"published for"},
                          {"published"},
                          {"unit"},
                          {"note"},
                          {"machine"},
                          {"ours", Show::Number},
                          {"ours / published", Show::Times},
                          {"our case"},
                          {"differs"}},
              .note = reference.source};
  for (const PublishedFigure& figure : reference.figures) {
    const std::vector<Record> row{described(figure), figure.range(), figure.unit, figure.note};
    const auto add = [&](const std::vector<Record>& of_ours) {
      table.rows.push_back(row);
      table.rows.back().insert(table.rows.back().end(), of_ours.begin(), of_ours.end());
    };
    const std::vector<Counterpart> found = counterparts(figure, sides);
    for (const Counterpart& each : found)
      add({each.side->label, each.ours, ratio_to(figure, each.ours), full_label(*each.entry),
           each.differs.empty() ? Record() : Record(each.differs)});
    if (found.empty()) add({"no such result", nullptr, nullptr, nullptr, nullptr});
  }
  return table;
}

std::vector<std::string> published_in_words(const std::vector<Reference>& references,
                                            const std::vector<Side>& sides) {
  std::vector<std::string> sentences;
  for (const Reference& reference : references) sentences.push_back(in_words(reference, sides));
  if (!sentences.empty())
    sentences.back() += " The section Published figures has all of them, with their notes.";
  return sentences;
}

}  // namespace memstencil::compare
