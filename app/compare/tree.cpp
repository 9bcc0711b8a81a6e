// Members of a result's record by their path; one that is missing, or of another type, is named.
#include "app/compare/tree.hpp"

#include "app/base/runtime/failure.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace memstencil::compare {

namespace {

[[noreturn]] void refuse(std::string_view path, const char* why) {
  throw Failure(ExitCode::Other, fmt::format("'{}' {}", path, why));
}

double as_number(const Record& value, std::string_view path) {
  if (!value.is_number()) refuse(path, "is no number");
  return value.get<double>();
}

}  // namespace

const Record* find(const Record& record, std::string_view path) {
  std::string pointer = "/" + std::string(path);
  std::replace(pointer.begin(), pointer.end(), '.', '/');
  const Record::json_pointer at(pointer);
  if (!record.contains(at)) return nullptr;
  const Record& found = record.at(at);
  return found.is_null() ? nullptr : &found;
}

const Record& member(const Record& record, std::string_view path) {
  const Record* found = find(record, path);
  if (found == nullptr) refuse(path, "is missing");
  return *found;
}

double number(const Record& record, std::string_view path) {
  return as_number(member(record, path), path);
}

std::optional<double> number_if(const Record& record, std::string_view path) {
  const Record* found = find(record, path);
  return found == nullptr ? std::nullopt : std::optional(as_number(*found, path));
}

double number_or(const Record& record, std::string_view path, double otherwise) {
  return number_if(record, path).value_or(otherwise);
}

std::string text(const Record& record, std::string_view path) {
  const Record& found = member(record, path);
  if (found.is_structured()) refuse(path, "is no text");
  return plain_text(found);
}

std::string text_or(const Record& record, std::string_view path, const std::string& otherwise) {
  return find(record, path) == nullptr ? otherwise : text(record, path);
}

std::vector<double> numbers(const Record& record, std::string_view path) {
  const Record* found = find(record, path);
  if (found == nullptr) return {};
  if (!found->is_array()) refuse(path, "is no array of numbers");
  std::vector<double> all;
  for (const Record& each : *found) all.push_back(as_number(each, path));
  return all;
}

}  // namespace memstencil::compare
