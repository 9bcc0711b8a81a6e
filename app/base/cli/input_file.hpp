// An input file (TOML) as a flat list of keys and values.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace memstencil {

/// The type of an option's value, and of a TOML value.
enum class ValueKind { Flag, Integer, Real, Text, Texts };

/// One `key = value` of the file. Scalars have one text; Texts any number.
struct InputEntry {
  std::string key;
  /// As written; nothing for tables, dates and mixed arrays, which no option takes.
  std::optional<ValueKind> kind;
  std::string kind_name;  ///< "an integer", "a table", ...
  std::vector<std::string> texts;
  unsigned line = 0;
};

/// Reads the file in its own order of keys.
/// @throws Failure(Usage): unreadable, larger than 1 MiB, or not TOML (with the line's number)
std::vector<InputEntry> read_input_file(const std::string& path);

}  // namespace memstencil
