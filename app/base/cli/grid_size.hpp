// The size of a grid, as the command lines take it.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>

namespace memstencil {

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
