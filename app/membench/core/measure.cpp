// Measures a probe's table: every combination of its axes' values, sampled and collected in rows.
#include "app/base/ranks/collectively.hpp"
#include "app/membench/core/analysis.hpp"
#include "memory_spaces/capabilities.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <list>

namespace memstencil::membench {

std::vector<Value> listed_values(const Axis& axis) {
  std::vector<Value> all = axis.values;
  all.insert(all.end(), axis.more.begin(), axis.more.end());
  return all;
}

std::vector<Row> Probe::points(const std::vector<Axis>& chosen) const {
  std::vector<Row> all(1);
  for (const Axis& axis : chosen) {
    std::vector<Row> longer;
    for (const Row& one : all)
      for (const Value& value : axis.values) {
        longer.push_back(one);
        longer.back().set(axis.name, value);
      }
    all = std::move(longer);
  }
  if (is_there != nullptr)
    std::erase_if(all, [&](const Row& row) { return !is_there(row, chosen); });
  return all;
}

int State::index(const std::string& axis) const {
  const std::vector<Value> all = listed_values(*std::ranges::find(of_.declared, axis, &Axis::name));
  return static_cast<int>(std::ranges::find(all, *find(axis)) - all.begin());
}

std::string State::title() const {
  std::string title;
  for (const auto& [name, value] : cells)
    if (std::ranges::find(of_.declared, name, &Axis::name) != of_.declared.end())
      title += (title.empty() ? "" : ", ") +
               (std::holds_alternative<double>(value) ? name + " " : "") + text_of(value);
  return title;
}

void State::keep(const std::string& column, const std::vector<double>& values) {
  Series& series = samples[column];
  series.experiments.push_back(values.size());
  series.values.insert(series.values.end(), values.begin(), values.end());
}

void State::sample(const std::vector<std::string>& columns,
                   const std::function<std::vector<double>()>& once) {
  for (int n = 0; n < of_.sampling.warmups; ++n) once();
  std::vector<std::vector<double>> own(columns.size());
  do {
    const std::vector<double> values = once();
    for (std::size_t c = 0; c < columns.size(); ++c) own[c].push_back(values.at(c));
  } while (reason_to_stop(of_.sampling, {own.front(), {own.front().size()}}).empty());
  if (columns.back() == "multiprocessors_left_out" && std::ranges::max(own.back()) > 0)
    note(columns.back() + ": the hardware gave them another number of warps than meant");
  for (std::size_t c = 0; c < columns.size(); ++c) {
    keep(columns[c], own[c]);
    add(columns[c], median(own[c]));
  }
  const Series& first = samples[columns.front()];
  if (first.values.size() > 1)  // of all experiments so far; one sample has no interval
    figures_["half_width"] = {relative_half_width(first)};
  stopped_ = reason_to_stop({0, 1, 1, of_.sampling.half_width}, first);
}

double State::sample(const std::string& column, const std::function<double()>& once) {
  sample(std::vector{column}, [&] { return std::vector{once()}; });
  return figures_[column].back();
}

void State::rate(int times, const std::function<double()>& seconds) {
  const double bytes = of_.probe.counted_bytes(*this);
  add("counted_bytes", bytes);
  sample({"gbs", "seconds"}, [&] {
    const double of_one = seconds() / times;
    return std::vector{gbs(bytes, of_one), of_one};
  });
}

std::vector<double> State::series(const std::string& column, int usual, int paper,
                                  const std::function<double()>& once) {
  const int count = setup.repeats.value_or(setup.paper ? paper : usual);
  std::vector<double> values;
  for (int n = 0; n < count; ++n) values.push_back(once());
  keep(column, values);
  return values;
}

void State::note(const std::string& line) {
  if (std::ranges::find(of_.notes, line) == of_.notes.end()) of_.notes.push_back(line);
}

void State::leave_out(const std::string& reason) {
  if (!reason.empty()) note("left out: " + reason);
  throw LeftOut();
}

void State::close() {
  for (const auto& [column, values] : figures_) set(column, median(values));
  if (!stopped_.empty()) set("stopped", stopped_);
}

Table measure(const Probe& probe, const std::vector<Axis>& axes, const Setup& setup) {
  Measurement of{probe, setup, probe.sampling, probe.axes(setup.paper), probe.notes};
  const int paper = probe.paper_repeats > 0 ? probe.paper_repeats : of.sampling.fewest;
  if (setup.repeats || setup.paper)
    of.sampling.fewest = of.sampling.most = setup.repeats.value_or(paper);
  std::list<State> states;
  for (Row& row : probe.points(axes)) states.emplace_back(std::move(row), of);
  const bool none = states.empty();
  const int experiments =
      setup.experiments.value_or(setup.paper ? probe.paper_experiments : probe.experiments);
  for (int n = 0; n < experiments; ++n) {
    const Point point = probe.start();
    for (auto state = states.begin(); state != states.end();) {
      try {
        point(*state);
        ++state;
      } catch (const LeftOut&) {
        state = n == 0 ? states.erase(state) : std::next(state);  // later an experiment less
      }
    }
  }
  if (states.empty()) {
    std::string why;
    if (none && gpu_count(&why) == 0)
      why = "; bounds are in membench list; there is no GPU: " + why;
    for (const std::string& note : of.notes)
      if (note.starts_with("left out: ")) why = ": " + note;
    // Ranks that measure together leave out the same points.
    throw CollectiveFailure(ExitCode::Machine, "no point of these axes can be measured here" + why);
  }
  Table table;
  std::size_t open = 0;
  for (State& state : states) {
    state.close();
    if (state.text("stopped").starts_with("not")) ++open;
    table.rows.push_back(std::move(state));
  }
  for (const std::string& note : of.notes) {
    // A note "VALUE: ..." or "VALUE, VALUE: ..." is about rows with the first value of an axis.
    const Value of_axis = note.substr(0, note.find_first_of(":,"));
    const bool measured = std::ranges::any_of(table.rows, [&](const Row& row) {
      return std::ranges::count(row.cells, of_axis, &std::pair<std::string, Value>::second) > 0;
    });
    if (measured || std::ranges::none_of(of.declared, [&](const Axis& axis) {
          return std::ranges::count(listed_values(axis), of_axis) > 0;
        }))
      table.notes.push_back(note);
  }
  if (open > 0)
    table.notes.push_back(
        fmt::format("not settled: {} of {} points (stopped, half_width)", open, table.rows.size()));
  std::vector<Row> more;
  if (probe.derive != nullptr) probe.derive(table.rows, more);
  table.rows.insert(table.rows.end(), more.begin(), more.end());
  return table;
}

}  // namespace memstencil::membench
