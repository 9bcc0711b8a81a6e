// An input file (TOML) as a flat list of keys and values.
#include "app/base/cli/input_file.hpp"

#include "app/base/cli/toml_file.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace memstencil {

namespace {

/// Kind, its name and the text of a scalar; no kind for what no option takes.
void describe(const toml::node& node, InputEntry& entry) {
  if (const auto* flag = node.as_boolean()) {
    entry.kind = ValueKind::Flag;
    entry.kind_name = "true or false";
    entry.texts = {flag->get() ? "true" : "false"};
  } else if (const auto* integer = node.as_integer()) {
    entry.kind = ValueKind::Integer;
    entry.kind_name = "an integer";
    entry.texts = {std::to_string(integer->get())};
  } else if (const auto* real = node.as_floating_point()) {
    entry.kind = ValueKind::Real;
    entry.kind_name = "a number with a fraction";
    entry.texts = {fmt::format("{}", real->get())};
  } else if (const auto* text = node.as_string()) {
    entry.kind = ValueKind::Text;
    entry.kind_name = "a string";
    entry.texts = {text->get()};
  } else if (const auto* array = node.as_array()) {
    entry.kind_name = "an array";
    if (array->empty() || !array->is_homogeneous(toml::node_type::string)) return;
    entry.kind = ValueKind::Texts;
    array->for_each(
        [&entry](const toml::value<std::string>& item) { entry.texts.push_back(item.get()); });
  } else {
    entry.kind_name = node.is_table() ? "a table" : "a date or time";
  }
}

}  // namespace

std::vector<InputEntry> read_input_file(const std::string& path) {
  const toml::table table = read_toml_file(path, "the input file");
  std::vector<InputEntry> entries;
  for (const auto& [key, node] : table) {
    InputEntry entry;
    entry.key = std::string(key.str());
    // Results name their options with underscores: what is copied from one is understood.
    std::replace(entry.key.begin(), entry.key.end(), '_', '-');
    entry.line = key.source().begin.line;
    describe(node, entry);
    entries.push_back(entry);
  }
  const auto earlier = [](const InputEntry& a, const InputEntry& b) { return a.line < b.line; };
  std::stable_sort(entries.begin(), entries.end(), earlier);
  return entries;
}

}  // namespace memstencil
