// The rows of membench's probes, as figures that can be set side by side.
#include "app/compare/read/run.hpp"

#include "app/base/record/text_report.hpp"
#include "app/compare/read/tree.hpp"
#include "app/membench/core/result_record.hpp"

#include <algorithm>
#include <set>

namespace memstencil::compare {

namespace {

/// The first of these that a row has stands for it.
constexpr std::array figures{"gbs",    "sum_gbs",     "per_second", "per_clock", "cycles",  "ns",
                             "hidden", "ns_per_byte", "C1",         "seconds",   "slowdown"};

std::string written(const std::string& name, const membench::Value& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  const double number = std::get<double>(value);
  return name == "bytes" ? bytes_text(number) : name + " " + membench::text_of(value);
}

ProbeRow named(const std::string& probe, const std::set<std::string>& axes, membench::Row row) {
  // A point names a value of every axis; what is derived from several points leaves one out.
  const bool point =
      !row.samples.empty() ||
      (!axes.empty() && std::all_of(axes.begin(), axes.end(),
                                    [&](const std::string& axis) { return row.has(axis); }));
  ProbeRow out{.probe = probe, .derived = !point, .row = std::move(row)};
  for (const auto& [name, value] : out.row.cells) {
    const bool text = std::holds_alternative<std::string>(value);
    if (name == "stopped" || (!text && axes.count(name) == 0)) continue;
    out.label += (out.label.empty() ? "" : ", ") + written(name, value);
  }
  const auto figure = std::find_if(figures.begin(), figures.end(), [&](const char* each) {
    return out.row.samples.empty() ? out.row.has(each) : out.row.samples.count(each) > 0;
  });
  if (figure == figures.end()) return out;
  out.column = *figure;
  out.value = out.row.has(out.column) ? out.row.number(out.column)
                                      : membench::median(out.row.samples.at(out.column).values);
  return out;
}

}  // namespace

bool fits(const ProbeRow& row, const std::string& probe, const Wanted& wanted) {
  return row.probe == probe && std::ranges::all_of(wanted, [&](const auto& member) {
           return row.row.is(member.first, member.second);
         });
}

const ProbeRow* largest(const std::vector<ProbeRow>& rows, const std::string& probe,
                        const Wanted& wanted) {
  const ProbeRow* found = nullptr;
  for (const ProbeRow& row : rows)
    if (fits(row, probe, wanted) && row.row.has("bytes") &&
        (found == nullptr || row.row.number("bytes") > found->row.number("bytes")))
      found = &row;
  return found;
}

std::optional<double> both_ways_gbs(const std::vector<ProbeRow>& rows) {
  const auto way = [&](const char* direction) {
    return largest(rows, "link",
                   {{"direction", direction}, {"memory", "pinned"}, {"by", "kernel"}});
  };
  const ProbeRow *up = way("HtoD against DtoH"), *down = way("DtoH against HtoD");
  return up != nullptr && down != nullptr ? std::optional(up->value + down->value) : std::nullopt;
}

Record cells_of(const ProbeRow& row) {
  Record cells = Record::object();
  for (const auto& [name, value] : row.row.cells) {
    Record& cell = cells[name];
    std::visit([&](const auto& each) { cell = each; }, value);
  }
  return cells;
}

std::string unit_of_column(const std::string& column) {
  const std::string unit = membench::unit_of(column);
  return unit.empty() ? column : unit;
}

std::vector<ProbeRow> probe_rows(const Record& result) {
  std::vector<ProbeRow> all;
  for (const Record& probe : member(result, "probes")) {
    const Record* blocks = find(probe, "rows");
    if (blocks == nullptr || find(probe, "skipped") != nullptr) continue;
    std::set<std::string> axes;
    if (const Record* names = find(probe, "axes"); names != nullptr)
      for (const Record& each : *names) axes.insert(plain_text(each));
    const std::string name = text(probe, "name");
    for (membench::Row& row : membench::rows_of(*blocks, name))
      all.push_back(named(name, axes, std::move(row)));
  }
  return all;
}

}  // namespace memstencil::compare
