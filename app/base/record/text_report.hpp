// Pieces of the text that a person reads: aligned lines, and quantities with their units.
#pragma once

#include <concepts>
#include <string>
#include <utility>
#include <vector>

namespace memstencil {

/// Lines of a report: a name and a value each.
using Lines = std::vector<std::pair<std::string, std::string>>;

inline void append(Lines& lines, const Lines& more) {
  lines.insert(lines.end(), more.begin(), more.end());
}

/// "name   : value" lines, the colons in one column, each line ended. A line with an empty name and
/// value is a blank line.
std::string aligned_lines(const Lines& lines);

/// Characters as a terminal counts them.
std::size_t text_width(const std::string& text);
/// Lines of at most so many characters, broken at blanks; `indent` blanks more begin each line but
/// the first.
std::string wrapped(const std::string& text, std::size_t most, std::size_t indent = 0);

/// "1 run", "3 runs"
template <std::integral Number>
std::string counted(Number number, const std::string& what) {
  return std::to_string(number) + " " + what + (number == 1 ? "" : "s");
}

/// Seconds in s, ms, us or ns with four significant digits: "1.234 s", "56.70 us".
std::string seconds_text(double seconds);
/// Bytes in decimal units (GB = 1e9) with four significant digits: "14.00 GB".
std::string bytes_text(double bytes);
/// Bytes a second, decimal: "3026 GB/s" is always given in GB/s, so that columns compare.
std::string bandwidth_text(double bytes_per_second);

}  // namespace memstencil
