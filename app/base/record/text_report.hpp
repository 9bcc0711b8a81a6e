// Pieces of the text that a person reads: aligned lines, and quantities with their units.
#pragma once

#include <concepts>
#include <string>
#include <utility>
#include <vector>

namespace memstencil {

/// A line of a report. A notable one says something unusual, or explains a figure; --verbose shows
/// the others, too.
struct Line {
  std::string name, value;
  bool notable = false;
};
using Lines = std::vector<Line>;

inline Line note(const std::string& text) { return {"note", text, true}; }

inline void append(Lines& lines, const Lines& more) {
  lines.insert(lines.end(), more.begin(), more.end());
}

/// "name   : value" lines, the colons in one column, each line ended.
std::string aligned_lines(const Lines& lines);
/// Blocks of aligned lines, a blank line before each: the notable ones, and with `verbose` the
/// rest.
std::string blocks_of(const Lines& lines, bool verbose);

/// "0.604 s in all: allocate 0.049, sweeps 0.548, other 0.007": seconds, with three digits. Parts
/// of less than 1 % are "other", as is time that no part counts (the total is the slowest rank's,
/// the parts are one rank's). The parts shown add up to the total within one of the last digit.
std::string total_text(double total, const std::vector<std::pair<std::string, double>>& parts);

/// Characters as a terminal counts them.
std::size_t text_width(const std::string& text);
/// Lines of at most `most` characters, broken at blanks; `indent` blanks more begin each line but
/// the first.
std::string wrapped(const std::string& text, std::size_t most, std::size_t indent = 0);

/// "1 run", "3 runs"
template <std::integral Number>
std::string counted(Number number, const std::string& what) {
  return std::to_string(number) + " " + what + (number == 1 ? "" : "s");
}

/// Four significant digits without an exponent: "3026", "56.70", "1.234".
std::string four_digits(double value);
/// Seconds in s, ms, us or ns with four significant digits: "1.234 s", "56.70 us".
std::string seconds_text(double seconds);
/// Bytes in decimal units (GB = 1e9) with four significant digits: "14.00 GB".
std::string bytes_text(double bytes);
/// Bytes a second, decimal: "3026 GB/s" is always given in GB/s, so that columns compare.
std::string bandwidth_text(double bytes_per_second);

}  // namespace memstencil
