// A TOML file that a user named: parsed, and read strictly.
#include "app/base/cli/toml_file.hpp"

#include "app/base/cli/numbers.hpp"
#include "app/base/runtime/failure.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <system_error>

namespace memstencil {

namespace {

constexpr std::size_t most_bytes = std::size_t{1} << 20;

std::string read_text(const std::string& path, const std::string& what) {
  const auto refuse = [&](const std::string& why) {
    return Failure(ExitCode::Usage, fmt::format("cannot read {} {}: {}", what, path, why));
  };
  std::error_code unknown;  // where this cannot be found out, opening the file says why
  if (std::filesystem::is_directory(path, unknown)) throw refuse("it is a directory");
  // Opening a named pipe would wait until somebody writes. The shell's own pipes, <(command), have
  // a writer already.
  const bool open_already =
      path.starts_with("/dev/fd/") || path.starts_with("/proc/") || path == "/dev/stdin";
  if (!open_already && std::filesystem::is_fifo(path, unknown)) throw refuse("it is a named pipe");
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) throw refuse(std::strerror(errno));
  std::string text(most_bytes + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (file.bad()) throw refuse(std::strerror(errno));
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (text.size() > most_bytes) throw refuse("it is larger than 1 MiB");
  return text;
}

/// The parser's library calls itself for every table within a table, and too many such calls
/// overflow the stack. It limits values within values to 256 levels, but not the parts of a key: in
/// a.b.c each dot begins a table within the one before. So the number of dots is limited here. Dots
/// in texts and numbers are counted, too.
void check_depth_of_tables(const std::string& text, const std::string& path) {
  constexpr auto most_dots = 8192;
  if (std::count(text.begin(), text.end(), '.') > most_dots)
    throw Failure(ExitCode::Usage,
                  fmt::format("{}: it has more than {} dots, and its tables may lie too deep in "
                              "each other",
                              path, most_dots));
}

/// A text without quotes, as in `size = M`, is no value in TOML.
const char* hint(std::string_view why) {
  const bool no_value = why.find("could not determine value type") != std::string_view::npos;
  return no_value ? "; a text needs quotes: size = \"M\"" : "";
}

}  // namespace

toml::table read_toml_file(const std::string& path, const std::string& what) {
  const std::string text = read_text(path, what);
  check_depth_of_tables(text, path);
  try {
    return toml::parse(text, path);
  } catch (const toml::parse_error& error) {
    throw Failure(ExitCode::Usage,
                  fmt::format("{}:{}: not TOML: {}{}", path, error.source().begin.line,
                              error.description(), hint(error.description())));
  }
}

TomlTable::TomlTable(const std::string& path, const std::string& what)
    : table_(std::make_shared<const toml::table>(read_toml_file(path, what))), path_(path) {}

std::vector<std::string> TomlTable::keys() const {
  std::vector<std::string> names;
  for (const auto& [key, node] : *table_) names.emplace_back(key.str());
  return names;
}

void TomlTable::only(const std::vector<std::string>& valid) const {
  for (const auto& [key, node] : *table_) {
    const std::string found(key.str());
    if (std::find(valid.begin(), valid.end(), found) == valid.end())
      throw Failure(
          ExitCode::Usage,
          fmt::format("{}:{}: unknown key '{}'{}; valid are {}", path_, key.source().begin.line,
                      found, did_you_mean(found, valid), fmt::join(valid, ", ")));
  }
}

void TomlTable::refuse(const std::string& key, const std::string& why) const {
  const toml::node* found = table_->get(key);
  const toml::source_region& source = found != nullptr ? found->source() : table_->source();
  throw Failure(ExitCode::Usage, fmt::format("{}:{}: {}: {}", path_, source.begin.line, key, why));
}

const toml::node& TomlTable::node(const std::string& key, const std::string& wanted) const {
  const toml::node* found = table_->get(key);
  if (found == nullptr) refuse(key, wanted + " is missing");
  return *found;
}

std::string TomlTable::text(const std::string& key) const {
  const auto* found = node(key, "a text").as_string();
  if (found == nullptr || found->get().empty()) refuse(key, "a text is wanted");
  return found->get();
}

std::vector<std::string> TomlTable::texts(const std::string& key) const {
  const auto* found = node(key, "an array of texts").as_array();
  if (found == nullptr || !found->is_homogeneous(toml::node_type::string))
    refuse(key, "an array of texts is wanted");
  std::vector<std::string> all;
  for (const toml::node& each : *found) all.push_back(each.as_string()->get());
  return all;
}

double TomlTable::number(const std::string& key) const {
  const std::optional<double> found = node(key, "a number").value<double>();
  if (!found || !std::isfinite(*found)) refuse(key, "a number is wanted");
  return *found;
}

Record TomlTable::scalar(const std::string& key) const {
  const toml::node& found = node(key, "a value");
  if (const auto* flag = found.as_boolean()) return flag->get();
  if (const auto* integer = found.as_integer()) return integer->get();
  return found.is_string() ? Record(text(key)) : Record(number(key));
}

TomlTable TomlTable::table(const std::string& key) const {
  const auto* found = node(key, "a table").as_table();
  if (found == nullptr) refuse(key, "a table is wanted");
  return {*this, *found};
}

std::vector<TomlTable> TomlTable::tables(const std::string& key) const {
  const auto* found = node(key, "an array of tables").as_array();
  if (found == nullptr || found->empty() || !found->is_homogeneous(toml::node_type::table))
    refuse(key, "an array of tables is wanted");
  std::vector<TomlTable> all;
  for (const toml::node& each : *found) all.push_back({*this, *each.as_table()});
  return all;
}

}  // namespace memstencil
