// The values of --sweep.
#include "app/himeno/sweep_kind.hpp"

#include "app/common/numbers.hpp"

#include <stdexcept>
#include <string_view>

namespace memstencil::himeno {

SweepKind parse_sweep_kind(const std::string& text) {
  constexpr std::string_view temporal = "temporal:";
  if (text == "single") return {};
  if (text == "auto") return {.sweeps = 1, .automatic = true};
  if (text.starts_with(temporal)) {
    try {
      return {.sweeps =
                  static_cast<int>(parse_integer(std::string_view(text).substr(temporal.size()), 2, 16))};
    } catch (const std::invalid_argument&) {
    }
  }
  throw std::invalid_argument(
      "'" + text + "' is not a kind of sweep: valid are single, temporal:T with T from 2 to 16, and auto");
}

std::string name(const SweepKind& kind) {
  if (kind.automatic) return "auto";
  return kind.sweeps == 1 ? "single" : "temporal:" + std::to_string(kind.sweeps);
}

}  // namespace memstencil::himeno
