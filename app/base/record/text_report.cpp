// Pieces of the text that a person reads: aligned lines, and quantities with their units.
#include "app/base/record/text_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <numeric>
#include <sstream>

namespace memstencil {

namespace {

struct Unit {
  double size;
  const char* symbol;
};

/// In the largest unit that leaves at least one before the point; units from large to small.
std::string in_units(double value, std::initializer_list<Unit> units) {
  const auto fits = [value](const Unit& unit) { return std::abs(value) >= unit.size; };
  const auto found = std::find_if(units.begin(), units.end() - 1, fits);
  return four_digits(value / found->size) + " " + found->symbol;
}

}  // namespace

std::string four_digits(double value) {
  const double size = std::abs(value);
  const int decimals = size >= 999.95 ? 0 : size >= 99.995 ? 1 : size >= 9.9995 ? 2 : 3;
  return fmt::format("{:.{}f}", value, decimals);
}

std::string aligned_lines(const Lines& lines) {
  std::size_t width = 0;
  for (const Line& line : lines) width = std::max(width, line.name.size());
  std::string out;
  for (const Line& line : lines) out += fmt::format("{:<{}} : {}\n", line.name, width, line.value);
  return out;
}

std::string blocks_of(const Lines& lines, bool verbose) {
  std::string out;
  for (const bool notable : {true, false}) {
    Lines block;
    for (const Line& line : lines)
      if (line.notable == notable) block.push_back(line);
    if (!block.empty() && (notable || verbose)) out += "\n" + aligned_lines(block);
  }
  return out;
}

std::string total_text(double total, const std::vector<std::pair<std::string, double>>& parts) {
  const Unit unit = total >= 0.1    ? Unit{1, "s"}
                    : total >= 1e-4 ? Unit{1e-3, "ms"}
                                    : Unit{1e-6, "us"};
  const double last_digit = 1e-3 * unit.size;
  std::vector<double> digits;
  double missing = std::round(total / last_digit);
  for (const auto& [name, seconds] : parts) {
    digits.push_back(std::floor(seconds / last_digit));
    missing -= digits.back();
  }
  // The parts with the largest remainders are rounded up.
  std::vector<std::size_t> order(parts.size());
  std::iota(order.begin(), order.end(), 0);
  const auto remainder = [&](std::size_t n) { return parts[n].second / last_digit - digits[n]; };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return remainder(a) > remainder(b); });
  for (const std::size_t n : order)
    if (missing-- >= 1) digits[n] += 1;
  std::string out = fmt::format("{:.3f} {} in all", total / unit.size, unit.symbol);
  const char* separator = ": ";
  for (std::size_t n = 0; n < parts.size(); ++n) {
    if (digits[n] == 0) continue;
    out += fmt::format("{}{} {:.3f}", separator, parts[n].first, 1e-3 * digits[n]);
    separator = ", ";
  }
  return out;
}

std::size_t text_width(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

std::string wrapped(const std::string& text, std::size_t most, std::size_t indent) {
  std::string out, line;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (!line.empty() && text_width(line) + 1 + text_width(word) > most) {
      out += line + "\n" + std::string(indent, ' ');
      line = word;
    } else {
      line += (line.empty() ? "" : " ") + word;
    }
  }
  return out + line;
}

std::string seconds_text(double seconds) {
  if (seconds == 0) return "0 s";
  return in_units(seconds, {{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}});
}

std::string bytes_text(double bytes) {
  if (std::abs(bytes) < 1e3) return fmt::format("{:.0f} B", bytes);
  return in_units(bytes, {{1e12, "TB"}, {1e9, "GB"}, {1e6, "MB"}, {1e3, "kB"}});
}

std::string bandwidth_text(double bytes_per_second) {
  return four_digits(bytes_per_second / 1e9) + " GB/s";
}

}  // namespace memstencil
