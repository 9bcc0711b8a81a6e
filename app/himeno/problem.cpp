// The problem: the original's sizes and counts, and the arrays' bytes.
#include "app/himeno/problem.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <limits>
#include <stdexcept>
#include <utility>

namespace memstencil::himeno {

namespace {

constexpr std::array<std::pair<const char*, Triple>, 5> original_sizes{{{"XS", {32, 32, 64}},
                                                                        {"S", {64, 64, 128}},
                                                                        {"M", {128, 128, 256}},
                                                                        {"L", {256, 256, 512}},
                                                                        {"XL", {512, 512, 1024}}}};

}  // namespace

Triple parse_size(const std::string& text) {
  std::string upper = text;
  std::transform(upper.begin(), upper.end(), upper.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  for (const auto& [name, extents] : original_sizes)
    if (upper == name) return extents;
  try {
    return parse_triple(text, 3, std::numeric_limits<std::int32_t>::max());
  } catch (const std::invalid_argument&) {
    throw std::invalid_argument(
        "'" + text +
        "' is not a size: valid are XS, S, M, L, XL and IxJxK, each extent 3 to 2147483647");
  }
}

std::string size_name(const Triple& extents) {
  for (const auto& [name, known] : original_sizes)
    if (extents == known) return name;
  return extents_text(extents);
}

double original_flops(const Triple& g) {
  return jacobi::flops_per_point * static_cast<double>(g[0] - 3) * static_cast<double>(g[1] - 3) *
         static_cast<double>(g[2] - 3);
}

double field_bytes(const Grid& grid) {
  return (jacobi::array_count + 1) * sizeof(float) * static_cast<double>(grid.extents[0]) *
         static_cast<double>(grid.extents[1]) * static_cast<double>(grid.pitch);
}

std::int64_t staged_planes(const Grid& grid, std::size_t arrays) {
  return std::max<std::int64_t>(grid.extents[0] / static_cast<std::int64_t>(arrays), 1);
}

std::size_t staged_floats(const Grid& grid, jacobi::Layout layout) {
  constexpr std::size_t arrays = jacobi::coefficient_count;
  if (layout == jacobi::Layout::Arrays) return grid.elements();
  const auto planes = static_cast<std::size_t>(staged_planes(grid, arrays));
  return std::max(grid.elements(), arrays * planes * grid.row(1, 0));
}

}  // namespace memstencil::himeno
