// Strict reading of numbers, names and sizes that a user typed: the whole text or nothing.
#include "app/base/cli/numbers.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace memstencil {

namespace {

template <class Number>
bool read_all(std::string_view text, Number& value) {
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && stop == end;
}

/// The reason why "10s", "8k" and "5%" are refused; otherwise nothing.
std::string unit_behind(std::string_view text) {
  const std::size_t end = text.find_first_not_of("0123456789.");
  if (end == 0 || end == std::string_view::npos ||
      text.find_first_of("0123456789", end) != std::string_view::npos)
    return {};
  return fmt::format(": give the number alone, without '{}'", text.substr(end));
}

/// Letters to insert, delete or replace to get from one word to the other (Levenshtein).
std::size_t edit_distance(std::string_view from, std::string_view to) {
  std::vector<std::size_t> row(to.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < from.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < to.size(); ++j) {
      const std::size_t replaced = diagonal + (from[i] == to[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

/// Options of other programs of this field, and ours for them.
constexpr std::array<std::pair<std::string_view, std::string_view>, 7> foreign_options{
    {{"-n", "--iterations"},
     {"-v", "--verbose"},
     {"--columns", "--cols"},
     {"--device", "--gpu"},
     {"--json", "--format json"},
     {"--size", "--rows and --cols"},
     {"--threads", "OMP_NUM_THREADS in the environment"}}};

}  // namespace

std::int64_t parse_integer(std::string_view text, std::int64_t low, std::int64_t high) {
  std::int64_t value = 0;
  if (!read_all(text, value) || value < low || value > high)
    throw std::invalid_argument(
        fmt::format("'{}' is not an integer from {} to {}{}", text, low, high, unit_behind(text)));
  return value;
}

double parse_real(std::string_view text, double low, double high) {
  double value = 0;
  if (!read_all(text, value) || !std::isfinite(value) || value < low || value > high)
    throw std::invalid_argument(
        fmt::format("'{}' is not a number from {} to {}{}", text, low, high, unit_behind(text)));
  return value;
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts(1);
  for (const char c : text)
    if (c == separator)
      parts.emplace_back();
    else
      parts.back() += c;
  return parts;
}

std::string lower_case(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

std::string did_you_mean(std::string_view text, const std::vector<std::string>& names) {
  const std::string typed = lower_case(text);
  for (const auto& [foreign, ours] : foreign_options) {
    const std::string_view first = ours.substr(0, ours.find_first_of(" ,"));
    if (typed == foreign &&
        (std::ranges::find(names, first) != names.end() || first == "OMP_NUM_THREADS"))
      return fmt::format(" (did you mean {}?)", ours);
  }
  std::string best;
  std::size_t best_distance = std::min<std::size_t>(3, typed.size());
  for (const std::string& name : names) {
    // A word cut short ("iter") is as likely as a slip of the finger.
    const bool cut_short = typed.size() >= 3 && lower_case(name).starts_with(typed);
    const std::size_t distance = cut_short ? 1 : edit_distance(typed, lower_case(name));
    if (distance < best_distance) {
      best = name;
      best_distance = distance;
    }
  }
  return best.empty() ? "" : fmt::format(" (did you mean {}?)", best);
}

Triple parse_triple(const std::string& text, std::int64_t low, std::int64_t high) {
  const std::vector<std::string> parts = split(text, 'x');
  if (parts.size() != 3) throw std::invalid_argument("three numbers are needed");
  Triple out{};
  for (std::size_t d = 0; d < 3; ++d) out[d] = parse_integer(parts[d], low, high);
  return out;
}

Triple parse_size(const std::string& text) {
  const std::string typed = lower_case(text);
  for (const auto& [name, extents] : named_sizes)
    if (typed == lower_case(name)) return extents;
  try {
    return parse_triple(text, 3, std::numeric_limits<std::int32_t>::max());
  } catch (const std::invalid_argument&) {
    throw std::invalid_argument(
        "'" + text +
        "' is not a size: valid are XS, S, M, L, XL and IxJxK, each extent 3 to 2147483647");
  }
}

std::string size_name(const Triple& extents) {
  for (const auto& [name, known] : named_sizes)
    if (extents == known) return name;
  return fmt::format("{}", fmt::join(extents, "x"));
}

}  // namespace memstencil
