// The one in-memory result of a run, and what every writer of it shares.
#include "app/base/record/record.hpp"

#include "app/base/runtime/failure.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <stdexcept>

namespace memstencil {

namespace {

std::string joined(const std::string& path, const std::string& key) {
  return path.empty() ? key : path + "." + key;
}

void require_finite(const Record& value, const std::string& path) {
  if (value.is_number_float() && !std::isfinite(value.get<double>()))
    throw Failure(ExitCode::Verification, fmt::format("the result '{}' is {}: nothing is reported",
                                                      path, value.get<double>()));
  if (!value.is_structured()) return;
  for (const auto& [key, item] : value.items()) require_finite(item, joined(path, key));
}

void flatten(const Record& value, const std::string& path, Record& row) {
  if (!value.is_structured()) {
    row[path] = value;
    return;
  }
  for (const auto& [key, item] : value.items())
    if (!value.is_array() || !item.is_structured()) flatten(item, joined(path, key), row);
}

std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string out = "\"";
  for (char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

/// A line of CSV: the keys of the flat object, or its values.
std::string csv_line(const Record& row, bool keys) {
  std::string line;
  const char* comma = "";
  for (const auto& [key, value] : row.items()) {
    line += comma + csv_cell(keys ? key : value.is_null() ? "" : plain_text(value));
    comma = ",";
  }
  return line + "\n";
}

}  // namespace

std::string plain_text(const Record& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

std::vector<Record> gathered(const Communicator& communicator, const Record& mine) {
  std::vector<Record> all;
  // By to_json(): the words of a library, or a host's name, need not be UTF-8.
  for (const std::string& each : communicator.all_gather(to_json(mine)))
    all.push_back(Record::parse(each));
  return all;
}

void require_finite(const Record& record) { require_finite(record, ""); }

std::string to_json(const Record& record) {
  require_finite(record);
  // Host names and file names need not be UTF-8; one odd byte must not cost the whole result.
  return record.dump(2, ' ', false, Record::error_handler_t::replace) + "\n";
}

Record flat_rows(const Record& record, const std::string& list) {
  Record row = Record::object(), rows = Record::array();
  for (const auto& [key, value] : record.items())
    if (key != list) flatten(value, key, row);
  if (list.empty()) return Record::array({row});
  for (const Record& element : record.at(list)) {
    rows.push_back(row);
    flatten(element, list, rows.back());
  }
  return rows;
}

std::string to_csv(const Record& rows) {
  require_finite(rows);
  std::string lines;
  for (const Record& row : rows) {
    const std::string names = csv_line(row, true);
    if (lines.empty()) lines = names;
    if (!lines.starts_with(names))
      throw std::logic_error("a line of CSV has other columns: " + names);
    lines += csv_line(row, false);
  }
  return lines;
}

void print_result(const std::string& text) {
  errno = 0;
  // The count alone does not tell: glibc's fwrite of a line to a terminal returns all
  // of it when its write fails.
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (!written || std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
    throw Failure(ExitCode::Other,
                  fmt::format("cannot write to standard output: {}", std::strerror(errno)));
}

}  // namespace memstencil
