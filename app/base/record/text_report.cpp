// Pieces of the text that a person reads: aligned lines, and quantities with their units.
#include "app/base/record/text_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
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
  double last_digit = 1, sum = 0;
  int decimals = 0;
  for (; total < 100 * last_digit && decimals < 5; ++decimals) last_digit /= 10;
  std::string out = fmt::format("{:.{}f} s in all", total, decimals);
  // Sums are rounded, not parts: so these add up to the total.
  const auto show = [&](const std::string& name, double seconds, double least_digits) {
    const double digits = std::round((sum + seconds) / last_digit) - std::round(sum / last_digit);
    if (digits >= least_digits)
      out += fmt::format("{} {} {:.{}f}", out.ends_with("all") ? ":" : ",", name,
                         digits * last_digit, decimals);
    sum += seconds;
  };
  for (const auto& [name, seconds] : parts)
    if (seconds >= std::max(0.01 * total, 1.5 * last_digit)) show(name, seconds, 1);
  show("other", total - sum, 2);
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
