// Members of a result's record by their path; one that is missing, or of another type, is named.
#pragma once

#include "app/base/cli/numbers.hpp"
#include "app/base/record/record.hpp"
#include "app/base/runtime/failure.hpp"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace memstencil::compare {

[[noreturn]] inline void refuse_member(std::string_view path, const char* why) {
  throw Failure(ExitCode::Other, fmt::format("'{}' {}", path, why));
}

inline double as_number(const Record& value, std::string_view path) {
  if (!value.is_number()) refuse_member(path, "is no number");
  return value.get<double>();
}

/// The member "limit.fraction"; null if there is none, or where it is null.
inline const Record* find(const Record& record, std::string_view path) {
  const Record* found = &record;
  for (const std::string& key : split(path, '.')) {
    const auto inner = found->find(key);
    if (inner == found->end()) return nullptr;
    found = &*inner;
  }
  return found->is_null() ? nullptr : found;
}

/// @throws Failure(Other) "'limit.fraction' is missing"
inline const Record& member(const Record& record, std::string_view path) {
  const Record* found = find(record, path);
  if (found == nullptr) refuse_member(path, "is missing");
  return *found;
}

/// @throws Failure(Other) "'limit.fraction' is no number", as those below
inline double number(const Record& record, std::string_view path) {
  return as_number(member(record, path), path);
}

inline std::optional<double> number_if(const Record& record, std::string_view path) {
  const Record* found = find(record, path);
  return found == nullptr ? std::nullopt : std::optional(as_number(*found, path));
}

/// `otherwise` where there is none.
inline double number_or(const Record& record, std::string_view path, double otherwise) {
  return number_if(record, path).value_or(otherwise);
}

/// A scalar as text.
inline std::string text(const Record& record, std::string_view path) {
  const Record& found = member(record, path);
  if (found.is_structured()) refuse_member(path, "is no text");
  return plain_text(found);
}

inline std::string text_or(const Record& record, std::string_view path,
                           const std::string& otherwise = "") {
  return find(record, path) == nullptr ? otherwise : text(record, path);
}

/// Numbers, or a single one; none if there is no such member.
inline std::vector<double> numbers(const Record& record, std::string_view path) {
  const Record* found = find(record, path);
  if (found == nullptr) return {};
  if (!found->is_array()) return {as_number(*found, path)};
  std::vector<double> all;
  for (const Record& each : *found) all.push_back(as_number(each, path));
  return all;
}

}  // namespace memstencil::compare
