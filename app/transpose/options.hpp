// transpose's command line, as a struct.
#pragma once

#include "app/base/cli/options.hpp"
#include "app/base/runtime/statistics.hpp"
#include "app/bench/message_path.hpp"
#include "app/bench/placement_options.hpp"
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

/// The sizes FROM, FROM + STEP, ... up to TO.
struct SizeRange {
  std::int64_t from, to, step;
};

/// "FROM:TO:STEP". @throws std::invalid_argument saying what is valid
SizeRange parse_sizes(const std::string& text);
std::string sizes_text(const SizeRange& sizes);

/// "none", "+N" or "N". @throws std::invalid_argument saying what is valid
Pitch parse_pitch(const std::string& text);
/// The same; empty for whole lines.
std::string pitch_text(const Pitch& pitch);

/// As typed; what is not given and depends on the machine stays empty (see plan.hpp).
struct Options : PlacementOptions {
  std::int64_t rows = 8192, columns = 8192;  ///< of A
  ElementType type = ElementType::Float;
  std::optional<Variant> variant;
  bool every_variant = false;  ///< in place of one
  Pitch pitch = {};
  bool in_place = false;
  bool accumulate = false;
  std::optional<SizeRange> sizes;  ///< square matrices of these sizes instead of rows x columns
  std::int64_t iterations = 100;
  bool confidence = false;  ///< fewer iterations, where their mean is sure
  int repeat = 1;
  MessagePath exchange = MessagePath::Auto;
};

/// [ufrgs-thesis], section 4.1, asks for at least so many iterations, and so does --confidence.
inline constexpr std::int64_t fewest_confident = 20;
/// The number of iterations as a rule: exactly --iterations, or with --confidence at most.
StoppingRule iterations_of(const Options& options);

/// Declares transpose's options on the command line, to be stored in `options` by parse().
void declare_options(CommandLine& line, Options& options);

}  // namespace memstencil::transpose
