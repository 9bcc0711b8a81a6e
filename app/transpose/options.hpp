// transpose's command line, as a struct.
#pragma once

#include "app/base/cli/options.hpp"
#include "app/bench/placement.hpp"
#include "app/bench/transport.hpp"
#include "app/transpose/distribution.hpp"
#include "kernels/transpose/transpose.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace memstencil::transpose {

enum class ElementType { Float, Double };
inline constexpr std::array all_element_types{ElementType::Float, ElementType::Double};
std::string_view name(ElementType type);
/// Bytes of an element.
std::size_t bytes_of(ElementType type);

/// "none", "+N" or "N". @throws std::invalid_argument with the valid forms
Pitch parse_pitch(const std::string& text);
/// The same; empty for whole lines.
std::string pitch_text(const Pitch& pitch);

/// As typed; an option that is not given and depends on the machine stays empty (see plan.hpp).
struct Options : PlacementOptions {
  std::int64_t rows = 8192, columns = 8192;  ///< of A
  ElementType type = ElementType::Float;
  std::optional<Variant> variant = Variant::Portable;  ///< empty: every one
  int tile = 32;  ///< side of the tiles of the thesis' variants
  Pitch pitch = {};
  std::int64_t iterations = 100;
  int repeat = 1;
  std::optional<Transport> exchange;  ///< not given: auto
};

/// Declares transpose's options on the command line, to be stored in `options` by parse().
void declare_options(CommandLine& line, Options& options);

}  // namespace memstencil::transpose
