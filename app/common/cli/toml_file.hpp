// A TOML file that a user named: parsed, and read strictly.
#pragma once

#include "app/common/record/record.hpp"

#include <toml++/toml.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace memstencil {

/// `what` says in messages what the file is to be: "the input file".
/// @throws Failure(Usage): unreadable, larger than 1 MiB, not TOML (with the line's number), or
/// with
///   tables that may lie too deep in each other
toml::table read_toml_file(const std::string& path, const std::string& what);

/// A table of such a file. Every function throws Failure(Usage) with one line that names the file,
/// the line and the key, and says what is valid.
class TomlTable {
public:
  TomlTable(const std::string& path, const std::string& what);

  bool has(const std::string& key) const { return table_.contains(key); }
  std::vector<std::string> keys() const;
  /// Refuses a key that is none of these.
  void only(const std::vector<std::string>& valid) const;

  std::string text(const std::string& key) const;
  double number(const std::string& key) const;
  /// A text, an integer, a finite number, or true or false.
  Record scalar(const std::string& key) const;
  TomlTable table(const std::string& key) const;
  std::vector<TomlTable> tables(const std::string& key) const;  ///< [[key]]

  /// The line for something else that is wrong with the value of the key.
  [[noreturn]] void refuse(const std::string& key, const std::string& why) const;

private:
  TomlTable(std::shared_ptr<const toml::table> file, std::string path);
  TomlTable(std::shared_ptr<const toml::table> file, const toml::table& table, std::string path)
      : file_(std::move(file)), table_(table), path_(std::move(path)) {}
  const toml::node& node(const std::string& key, const std::string& wanted) const;

  std::shared_ptr<const toml::table> file_;  ///< what table_ stands in
  const toml::table& table_;
  std::string path_;
};

}  // namespace memstencil
