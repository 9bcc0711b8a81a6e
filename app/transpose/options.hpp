// transpose's command line, as a struct.
#pragma once

#include "app/common/cli/options.hpp"
#include "app/placement/message_path.hpp"
#include "app/placement/placement_options.hpp"
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

/// As typed; what is not given and depends on the machine stays empty (see plan.hpp).
struct Options : PlacementOptions {
  std::int64_t rows = 8192, columns = 8192;  ///< of A
  ElementType type = ElementType::Float;
  std::optional<Variant> variant;
  bool every_variant = false;  ///< in place of one
  bool in_place = false;
  bool accumulate = false;
  std::optional<SizeRange> sizes;  ///< square matrices of these sizes instead of rows x columns
  std::int64_t iterations = 100;
  int repeat = 1;
  MessagePath exchange = MessagePath::Auto;
};

/// Declares transpose's options on the command line, to be stored in `options` by parse().
void declare_options(CommandLine& line, Options& options);

}  // namespace memstencil::transpose
