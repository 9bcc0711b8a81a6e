// Measures a probe's table: every combination of its axes' values, sampled and collected in rows.
#include "app/membench/core/probe.hpp"
#include "app/membench/core/sampling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace memstencil::membench {

namespace {

template <class T>
std::vector<Value> values_of(const std::vector<T>& all) {
  return {all.begin(), all.end()};
}

}  // namespace

Axis names(const std::string& axis, const std::vector<std::string>& values,
           const std::vector<std::string>& more) {
  return {axis, values_of(values), values_of(more)};
}

Axis numbers(const std::string& axis, const std::vector<double>& values) {
  return {axis, values_of(values)};
}

Axis range(const std::string& axis, const std::vector<double>& values, double least, double most) {
  return {.name = axis, .values = values_of(values), .least = least, .most = most};
}

Axis sizes(const std::string& axis, const std::vector<double>& values, double least, double most) {
  Axis of_bytes = range(axis, values, least, most);
  of_bytes.bytes = true;
  return of_bytes;
}

int State::index(const std::string& axis) const {
  for (const Axis& each : declared_) {
    if (each.name != axis) continue;
    std::vector<Value> all = each.values;
    all.insert(all.end(), each.more.begin(), each.more.end());
    const auto found = std::find(all.begin(), all.end(), *row_.find(axis));
    if (found != all.end()) return static_cast<int>(found - all.begin());
  }
  throw std::logic_error("axis " + axis + " does not declare " + row_.text(axis));
}

std::string State::title() const {
  std::string title;
  for (const auto& [name, value] : row_.cells)
    title += (title.empty() ? "" : ", ") +
             (std::holds_alternative<double>(value) ? name + " " : "") + text_of(value);
  return title;
}

void State::keep(const std::string& column, std::vector<double> values) {
  Series& series = row_.samples[column];
  series.experiments.push_back(values.size());
  series.values.insert(series.values.end(), values.begin(), values.end());
}

std::vector<double> State::sample(const std::vector<std::string>& columns,
                                  const std::function<std::vector<double>()>& once) {
  setup.progress(title());
  for (int n = 0; n < sampling_.warmups; ++n) once();
  std::vector<Series> own(columns.size(), {{}, {0}});
  while (reason_to_stop(sampling_, own.front()).empty()) {
    const std::vector<double> values = once();
    for (std::size_t c = 0; c < columns.size(); ++c) {
      own[c].values.push_back(values.at(c));
      ++own[c].experiments.front();
    }
  }
  std::vector<double> medians;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    keep(columns[c], own[c].values);
    medians.push_back(median(own[c].values));
    add(columns[c], medians.back());
  }
  const Series& first = row_.samples[columns.front()];
  add("half_width", relative_half_width(first));
  row_.set("stopped", reason_to_stop({0, 1, 1, sampling_.half_width}, first));
  return medians;
}

double State::sample(const std::string& column, const std::function<double()>& once) {
  return sample(std::vector{column}, [&] { return std::vector{once()}; }).front();
}

std::vector<double> State::series(const std::string& column, int usual, int paper,
                                  const std::function<double()>& once) {
  setup.progress(title());
  const int count = setup.repeats > 0 ? setup.repeats : setup.paper ? paper : usual;
  std::vector<double> values;
  for (int n = 0; n < count; ++n) values.push_back(once());
  keep(column, values);
  return values;
}

void State::note(const std::string& line) {
  if (std::find(notes_.begin(), notes_.end(), line) == notes_.end()) notes_.push_back(line);
}

void State::leave_out(const std::string& reason) {
  if (!reason.empty()) note("left out: " + reason);
  throw LeftOut();
}

namespace {

/// Of the axes' values every combination, the last axis' fastest.
std::vector<Row> combinations(const std::vector<Axis>& axes) {
  std::vector<Row> rows(1);
  for (const Axis& axis : axes) {
    std::vector<Row> longer;
    for (const Row& row : rows)
      for (const Value& value : axis.values) {
        longer.push_back(row);
        longer.back().cells.emplace_back(axis.name, value);
      }
    rows = std::move(longer);
  }
  return rows;
}

Sampling sampling_of(const Probe& probe, const Setup& setup) {
  Sampling sampling = probe.sampling;
  const int paper = probe.paper_repeats > 0 ? probe.paper_repeats : sampling.fewest;
  if (setup.repeats > 0 || setup.paper)
    sampling.fewest = sampling.most = setup.repeats > 0 ? setup.repeats : paper;
  return sampling;
}

struct Place {
  Row row;
  State::Figures figures = {};
  bool there = true;
};

}  // namespace

Table measure(const Probe& probe, const std::vector<Axis>& axes, const Setup& setup) {
  Table table{.rows = {}, .notes = probe.notes};
  const Sampling sampling = sampling_of(probe, setup);
  std::vector<Place> places;
  for (Row& row : combinations(axes)) places.push_back({std::move(row)});
  const auto declared = probe.axes == nullptr ? axes : probe.axes(setup.paper);
  int experiments = setup.paper ? probe.paper_experiments : probe.experiments;
  if (setup.experiments > 0) experiments = setup.experiments;
  for (int n = 0; n < experiments; ++n) {
    const Point point = probe.start(setup);
    for (Place& place : places) {
      if (!place.there) continue;
      const Row before = place.row;
      State state(setup, sampling, declared, place.row, table.notes, place.figures);
      try {
        point(state);
      } catch (const LeftOut&) {
        place.there = n > 0;
        place.row = before;
      }
    }
  }
  for (Place& place : places) {
    if (!place.there) continue;
    for (auto& [column, values] : place.figures) place.row.set(column, median(values));
    if (const std::string why = place.row.text("stopped"); !why.empty()) {
      std::erase_if(place.row.cells, [](const auto& cell) { return cell.first == "stopped"; });
      place.row.set("stopped", why);  // after the figures
    }
    table.rows.push_back(std::move(place.row));
  }
  if (table.rows.empty()) {
    const std::string why = table.notes.empty() ? "" : ": " + table.notes.back();
    throw Failure(ExitCode::Machine, "no point of these axes can be measured here" + why);
  }
  if (probe.derive != nullptr) probe.derive(table.rows);
  return table;
}

}  // namespace memstencil::membench
