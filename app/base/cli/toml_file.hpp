// A TOML file that a user named: parsed, and read strictly.
#pragma once

#include "app/base/record/record.hpp"

#include <toml++/toml.h>

#include <memory>
#include <string>
#include <vector>

namespace memstencil {

/// @param what the file's name in messages: "the input file"
/// @throws Failure(Usage) if it cannot be read, is larger than 1 MiB, is not TOML (with the
///         line's number), or has too many dots: its tables may lie too deep in each other
toml::table read_toml_file(const std::string& path, const std::string& what);

/// A table of such a file. If a value is wrong, every function throws Failure(Usage) with one
/// line that names the file, the line and the key, and says what is valid.
class TomlTable {
public:
  TomlTable(const std::string& path, const std::string& what);

  bool has(const std::string& key) const { return table_->contains(key); }
  std::vector<std::string> keys() const;
  /// Refuses every key but these.
  void only(const std::vector<std::string>& valid) const;

  std::string text(const std::string& key) const;
  std::vector<std::string> texts(const std::string& key) const;  ///< an array of texts
  double number(const std::string& key) const;
  /// A text, an integer, a finite number, or true or false.
  Record scalar(const std::string& key) const;
  TomlTable table(const std::string& key) const;
  std::vector<TomlTable> tables(const std::string& key) const;  ///< [[key]]

  /// Throws: the key's value is wrong, and `why` says so.
  [[noreturn]] void refuse(const std::string& key, const std::string& why) const;

private:
  /// A part of the table, which keeps the whole alive.
  TomlTable(const TomlTable& whole, const toml::table& part)
      : table_(whole.table_, &part), path_(whole.path_) {}
  const toml::node& node(const std::string& key, const std::string& wanted) const;

  std::shared_ptr<const toml::table> table_;
  std::string path_;
};

}  // namespace memstencil
