// Strict reading of numbers, names and sizes that a user typed: the whole text or nothing.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
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

/// I, J, K of a grid, or an index of a point in it.
using Triple = std::array<std::int64_t, 3>;

/// The sizes of the Himeno benchmark.
inline constexpr std::array<std::pair<const char*, Triple>, 5> named_sizes{
    {{"XS", {32, 32, 64}},
     {"S", {64, 64, 128}},
     {"M", {128, 128, 256}},
     {"L", {256, 256, 512}},
     {"XL", {512, 512, 1024}}}};

/// Three integers joined by 'x'. @throws std::invalid_argument
Triple parse_triple(const std::string& text, std::int64_t low, std::int64_t high);
/// "XL" or "512x512x1024" (each extent 3..2^31-1).
/// @throws std::invalid_argument with the valid ones
Triple parse_size(const std::string& text);
/// The name of these extents, or "IxJxK".
std::string size_name(const Triple& extents);

}  // namespace memstencil
