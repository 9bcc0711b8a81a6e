// transpose's command line, as a struct.
#pragma once

#include "app/common/options.hpp"
#include "app/placement/placement_options.hpp"

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

/// Every way to transpose that has a name on the command line, in the order of the reports; each
/// is described beside its kernel.
inline constexpr std::array<std::string_view, 9> variant_names{
    "copy", "naive", "tiled", "padded", "diagonal", "diagonal-conflicts", "portable", "tuned", "vendor"};
/// The yardstick, measured in every run.
inline constexpr std::string_view copy_name = "copy";
inline constexpr std::string_view all_name = "all";

/// The sizes FROM, FROM + STEP, ... up to TO.
struct SizeRange {
  std::int64_t from, to, step;
};

/// "FROM:TO:STEP". @throws std::invalid_argument saying what is valid
SizeRange parse_sizes(const std::string& text);
std::string sizes_text(const SizeRange& sizes);

/// As typed; what is not given and depends on the machine stays empty (see setup.hpp).
struct Options : PlacementOptions {
  std::int64_t rows = 8192, columns = 8192;  ///< of A
  ElementType type = ElementType::Float;
  std::string variant;  ///< one of variant_names, "all", or empty
  bool in_place = false;
  bool accumulate = false;
  std::optional<SizeRange> sizes;  ///< square matrices of these sizes instead of rows x columns
  std::int64_t iterations = 100;
  int repeat = 1;
};

/// Declares transpose's options on the command line, to be stored in `options` by parse().
void declare_options(CommandLine& line, Options& options);

}  // namespace memstencil::transpose
