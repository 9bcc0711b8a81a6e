// Strict reading of numbers and names that a user typed: the whole text or nothing.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace memstencil {

/// Decimal digits with an optional minus sign: no blanks, no plus, no hexadecimal, no exponent.
/// @throws std::invalid_argument "'1e3' is not an integer from LOW to HIGH"
std::int64_t parse_integer(std::string_view text, std::int64_t low, std::int64_t high);

/// Decimal number, exponent allowed; neither hexadecimal, nor infinite, nor NaN.
/// @throws std::invalid_argument "'x' is not a number from LOW to HIGH"
double parse_real(std::string_view text, double low, double high);

/// The parts between the separators: "a,,b" has three. A text without a separator is one part.
std::vector<std::string> split(std::string_view text, char separator);

/// The text in small letters of ASCII.
std::string lower_case(std::string_view text);

/// " (did you mean NAME?)" with the name closest to the typed text, in any case of letters; nothing
/// if none is close (more than two letters off).
std::string did_you_mean(std::string_view typed, const std::vector<std::string>& names);

}  // namespace memstencil
