// Members of a result's record by their path; one that is missing, or of another type, is named.
// Numbers as a person reads them: with three digits in sentences, with four in tables.
#pragma once

#include "app/base/cli/numbers.hpp"
#include "app/base/record/record.hpp"
#include "app/base/runtime/failure.hpp"

#include <fmt/format.h>

#include <cmath>
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

/// "1123", "15.9", "1.50", "0.0300"
inline std::string three_digits(double value) {
  if (value == 0) return "0";
  return std::abs(value) < 99.95 ? fmt::format("{:#.3g}", value) : fmt::format("{:.0f}", value);
}

/// "0.659 s", "39.3 s", "57.1 ms"
inline std::string short_seconds(double seconds) {
  if (seconds == 0 || seconds >= 0.1) return three_digits(seconds) + " s";
  return seconds >= 1e-4 ? three_digits(1e3 * seconds) + " ms"
                         : three_digits(1e6 * seconds) + " us";
}

/// "0.360 against 0.513 s": with one unit where it is the same.
inline std::string both_seconds(double here, double there, const char* between = " against ") {
  const std::string a = short_seconds(here), b = short_seconds(there);
  const std::size_t unit_a = a.find(' '), unit_b = b.find(' ');
  return (a.substr(unit_a) == b.substr(unit_b) ? a.substr(0, unit_a) : a) + between + b;
}

/// "1.96", "15.9", "0.80": two digits behind the point at most.
inline std::string times_text(double ratio) {
  return fmt::format("{:.{}f}", ratio, ratio < 9.995 ? 2 : ratio < 99.95 ? 1 : 0);
}

/// "7.2 %", "150 %"
inline std::string percent(double fraction) {
  return fmt::format("{:.{}f} %", 100 * fraction, std::abs(fraction) < 1 ? 1 : 0);
}

/// "1716", "54.83", "0.8491", "1.2e-05"
inline std::string four_digits(double value) {
  const double size = std::abs(value);
  if (size == 0 || size >= 1e9 || size < 1e-3) return fmt::format("{:.4g}", value);
  if (size >= 1000) return fmt::format("{:.0f}", value);
  return fmt::format("{:.{}f}", value, 3 - static_cast<int>(std::floor(std::log10(size))));
}

}  // namespace memstencil::compare
