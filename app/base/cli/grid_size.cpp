// The size of a grid, as the command lines take it.
#include "app/base/cli/grid_size.hpp"

#include "app/base/cli/numbers.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <limits>
#include <stdexcept>
#include <vector>

namespace memstencil {

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
