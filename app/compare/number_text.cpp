// Numbers as a person reads them.
#include "app/compare/number_text.hpp"

#include <fmt/format.h>

#include <cmath>

namespace memstencil::compare {

std::string three_digits(double value) {
  if (value == 0) return "0";
  return std::abs(value) < 99.95 ? fmt::format("{:#.3g}", value) : fmt::format("{:.0f}", value);
}

std::string short_seconds(double seconds) {
  if (seconds == 0 || seconds >= 0.1) return three_digits(seconds) + " s";
  return seconds >= 1e-4 ? three_digits(1e3 * seconds) + " ms"
                         : three_digits(1e6 * seconds) + " us";
}

std::string both_seconds(double here, double there) {
  const std::string a = short_seconds(here), b = short_seconds(there);
  const std::size_t unit_a = a.find(' '), unit_b = b.find(' ');
  return (a.substr(unit_a) == b.substr(unit_b) ? a.substr(0, unit_a) : a) + " against " + b;
}

std::string times_text(double ratio) {
  return fmt::format("{:.{}f}", ratio, ratio < 9.995 ? 2 : ratio < 99.95 ? 1 : 0);
}

std::string percent(double fraction) {
  return fmt::format("{:.{}f} %", 100 * fraction, std::abs(fraction) < 1 ? 1 : 0);
}

std::string four_digits(double value) {
  const double size = std::abs(value);
  if (size == 0 || size >= 1e9 || size < 1e-3) return fmt::format("{:.4g}", value);
  if (size >= 1000) return fmt::format("{:.0f}", value);
  return fmt::format("{:.{}f}", value, 3 - static_cast<int>(std::floor(std::log10(size))));
}

}  // namespace memstencil::compare
