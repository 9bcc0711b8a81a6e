// The record of a membench run, and its rows.
#include "app/membench/core/result_record.hpp"

#include "app/base/runtime/failure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace memstencil::membench {

namespace {

Record record_of(const Value& value) {
  if (const auto* name = std::get_if<std::string>(&value)) return *name;
  const double number = std::get<double>(value);
  constexpr double exact = 9007199254740992.0;  // 2^53
  if (number == std::floor(number) && std::abs(number) < exact)
    return static_cast<std::int64_t>(number);
  return number;
}

Record printed_row(const Row& row) {
  Record out = Record::object();
  for (const auto& [column, value] : row.cells) out[column] = record_of(value);
  for (const auto& [column, series] : row.samples) out["samples"][column] = series.values;
  if (!row.samples.empty()) out["experiments"] = row.samples.begin()->second.experiments.size();
  return out;
}

Record block_of(const std::vector<const Row*>& rows) {
  Record block = Record::object();
  for (const Row* row : rows) {
    for (const auto& [column, value] : row->cells) {
      Record& values = block[column];  // all of one kind, whole or not
      std::visit([&](const auto& each) { values.push_back(each); }, value);
    }
    for (const auto& [column, series] : row->samples)
      for (const double value : series.values) block["samples"][column].push_back(value);
    if (row->samples.empty()) continue;
    const std::vector<std::size_t>& counts = row->samples.begin()->second.experiments;
    block["experiments"].push_back(counts.size());
    for (const std::size_t count : counts) block["sample_counts"].push_back(count);
  }
  return block;
}

Failure unreadable(const std::string& probe, const std::string& what) {
  return {ExitCode::Other, fmt::format("rows of the probe '{}': {}", probe, what)};
}

void read_samples(const Record& block, const std::string& probe, std::vector<Row>& rows) {
  const auto experiments = block.at("experiments").get<std::vector<std::size_t>>();
  const auto counts = block.at("sample_counts").get<std::vector<std::size_t>>();
  if (experiments.size() != rows.size()) throw unreadable(probe, "experiments of other rows");
  for (const auto& [column, list] : block.at("samples").items()) {
    const auto values = list.get<std::vector<double>>();
    std::size_t value = 0, count = 0;
    for (std::size_t n = 0; n < rows.size(); ++n) {
      Series& series = rows[n].samples[column];
      for (std::size_t e = 0; e < experiments[n]; ++e, ++count) {
        if (count >= counts.size() || counts[count] > values.size() - value)
          throw unreadable(probe, fmt::format("too few samples of '{}'", column));
        series.experiments.push_back(counts[count]);
        for (std::size_t s = 0; s < counts[count]; ++s) series.values.push_back(values[value++]);
      }
    }
  }
}

void read_block(const Record& block, const std::string& probe, std::vector<Row>& rows) {
  if (!block.is_object()) throw unreadable(probe, "no columns");
  std::vector<Row> own;
  for (const auto& [column, values] : block.items()) {
    if (column == "samples" || column == "experiments" || column == "sample_counts") continue;
    if (!values.is_array()) throw unreadable(probe, fmt::format("'{}' is no list", column));
    if (own.empty()) own.resize(values.size());
    if (own.size() != values.size())
      throw unreadable(probe, fmt::format("'{}' has {} values, and others have {}", column,
                                          values.size(), own.size()));
    for (std::size_t n = 0; n < own.size(); ++n)
      own[n].cells.emplace_back(column, values[n].is_number() ? Value(values[n].get<double>())
                                                              : Value(plain_text(values[n])));
  }
  if (block.contains("samples")) read_samples(block, probe, own);
  std::move(own.begin(), own.end(), std::back_inserter(rows));
}

std::optional<Spread> spread_of(const std::vector<GpuMoment>& moments,
                                std::optional<double> GpuMoment::*value) {
  std::vector<double> values;
  for (const GpuMoment& each : moments)
    if (each.*value) values.push_back(*(each.*value));
  return values.empty() ? std::nullopt : std::optional(memstencil::spread_of(values));
}

}  // namespace

std::string text_of(const Value& value) {
  if (const auto* name = std::get_if<std::string>(&value)) return *name;
  return fmt::format("{:.15g}", std::get<double>(value));
}

double median(const std::vector<double>& values) {
  return values.empty() ? 0 : statistics(values).median;
}

const Value* Row::find(const std::string& column) const {
  const auto found = std::ranges::find(cells, column, &decltype(cells)::value_type::first);
  return found == cells.end() ? nullptr : &found->second;
}

double Row::number(const std::string& column) const {
  const Value* value = find(column);
  const auto* number = value == nullptr ? nullptr : std::get_if<double>(value);
  return number == nullptr ? 0 : *number;
}

std::string Row::text(const std::string& column) const {
  const Value* value = find(column);
  return value == nullptr ? "" : text_of(*value);
}

void Row::set(const std::string& column, const Value& value) {
  const auto found = std::ranges::find(cells, column, &decltype(cells)::value_type::first);
  (found == cells.end() ? cells.emplace_back(column, value) : *found).second = value;
}

std::vector<double> Group::numbers(const std::string& column) const {
  std::vector<double> all;
  for (const Row* row : rows) all.push_back(row->number(column));
  return all;
}

std::vector<Group> groups(std::vector<Row>& rows, const std::vector<std::string>& columns) {
  std::vector<Group> all;
  for (Row& row : rows) {
    Row like;
    for (const std::string& column : columns)
      if (const Value* value = row.find(column)) like.cells.emplace_back(column, *value);
    if (like.cells.size() < columns.size()) continue;
    const auto found = std::find_if(
        all.begin(), all.end(), [&](const Group& group) { return group.like.cells == like.cells; });
    (found == all.end() ? all.emplace_back(Group{like, {}}) : *found).rows.push_back(&row);
  }
  return all;
}

std::vector<std::vector<const Row*>> rows_by_columns(const std::vector<Row>& rows) {
  std::vector<std::vector<const Row*>> kinds;
  std::map<std::vector<std::pair<std::string, std::size_t>>, std::size_t> known;
  for (const Row& row : rows) {
    std::vector<std::pair<std::string, std::size_t>> columns;
    for (const auto& [column, value] : row.cells) columns.emplace_back(column, value.index());
    for (const auto& [column, series] : row.samples) columns.emplace_back("of " + column, 0);
    const auto [kind, is_new] = known.emplace(columns, kinds.size());
    if (is_new) kinds.emplace_back();
    kinds[kind->second].push_back(&row);
  }
  return kinds;
}

Record blocks_of(const std::vector<Row>& rows) {
  Record out = Record::array();
  for (const auto& kind : rows_by_columns(rows)) out.push_back(block_of(kind));
  return out;
}

std::vector<Row> rows_of(const Record& blocks, const std::string& probe) {
  std::vector<Row> rows;
  try {
    for (const Record& block : blocks) read_block(block, probe, rows);
  } catch (const Record::exception& damaged) {
    throw unreadable(probe, damaged.what());
  }
  // Axes that newer files lack: with their usual values older rows are the same points.
  for (const auto& [of, axis, usual] : {std::array{"latency", "pages", "default"},
                                        {"atomics", "memory", "device"},
                                        {"atomics", "by", "GPU"}})
    if (probe == of)
      for (Row& row : rows) std::erase(row.cells, std::pair<std::string, Value>(axis, usual));
  return rows;
}

GpuCourse course_of(const std::vector<GpuMoment>& moments) {
  GpuCourse course{.looks = std::ssize(moments),
                   .sm_clock_mhz = spread_of(moments, &GpuMoment::sm_clock_mhz),
                   .memory_clock_mhz = spread_of(moments, &GpuMoment::memory_clock_mhz),
                   .watts = spread_of(moments, &GpuMoment::watts),
                   .celsius = spread_of(moments, &GpuMoment::celsius),
                   .held_down = {}};
  std::map<std::string, double> shares;
  for (const GpuMoment& each : moments) {
    if (!each.throttled) continue;
    for (const std::string& reason : *each.throttled)
      shares[reason] += 1 / static_cast<double>(moments.size());
    course.held_down.emplace(shares.begin(), shares.end());
  }
  return course;
}

void ProbeRecord::describe(Archive& a) const {
  a("name", probe->name);
  a("summary", probe->summary);
  a("source", probe->source);
  a("counted", probe->counted);
  a("verified", !skipped);
  a.optional("skipped", skipped);
  if (skipped) return;
  MEMSTENCIL_MEMBERS(a, seconds, gpu, axes);
  a("rows", blocks_of(rows));
  a("notes", notes);
}

void Result::describe(Archive& a) const {
  describe_head(a, "membench", origin);
  MEMSTENCIL_MEMBERS(a, probe, probes);
  a("verified", true);  // otherwise there is none
  MEMSTENCIL_MEMBERS(a, options, machine, provenance, execution);
}

std::string unit_of(const std::string& column) {
  static constexpr std::array<std::pair<const char*, const char*>, 11> units{
      {{"bytes_per_clock", "B/clock"},
       {"gbs", "GB/s"},
       {"ns_per_byte", "ns/byte"},
       {"ns", "ns"},
       {"us", "us"},
       {"cycles", "cycles"},
       {"seconds", "s"},
       {"per_second", "1/s"},
       {"per_clock", "1/clock"},
       {"bytes", "B"},
       {"footprint", "B"}}};
  for (const auto& [suffix, unit] : units)
    if (column == suffix || column.ends_with(std::string("_") + suffix)) return unit;
  return "";
}

Record printed(const Result& result, Record record) {
  for (std::size_t n = 0; n < result.probes.size(); ++n) {
    if (result.probes[n].skipped) continue;
    record["probes"][n]["rows"] = Record::array();
    for (const Row& row : result.probes[n].rows)
      record["probes"][n]["rows"].push_back(printed_row(row));
  }
  return record;
}

}  // namespace memstencil::membench
