// Rows of a table, for those who measure and those who read results.
#include "app/membench/core/probe.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace memstencil::membench {

std::string text_of(const Value& value) {
  if (const auto* name = std::get_if<std::string>(&value)) return *name;
  return fmt::format("{:.15g}", std::get<double>(value));
}

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

const Value* Row::find(const std::string& column) const {
  for (const auto& [name, value] : cells)
    if (name == column) return &value;
  return nullptr;
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

void Row::set(const std::string& column, Value value) {
  for (auto& [name, old] : cells)
    if (name == column) {
      old = std::move(value);
      return;
    }
  cells.emplace_back(column, std::move(value));
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

}  // namespace memstencil::membench
