// transpose's command line, as a struct.
#include "app/transpose/options.hpp"

#include "app/bench/repeats.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <limits>
#include <stdexcept>
#include <vector>

namespace memstencil::transpose {

namespace {

constexpr std::int64_t most_rows = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t most_padding = 1'000'000;

constexpr const char* all_name = "all";

/// Every name that --variant takes.
std::vector<std::string> variant_names() {
  std::vector<std::string> names;
  for (const Variant variant : all_variants) names.emplace_back(name(variant));
  names.emplace_back(all_name);
  return names;
}

void read_variant(const std::string& text, Options& options) {
  const std::size_t n = CommandLine::index_of(text, variant_names());
  options.every_variant = n == all_variants.size();
  if (!options.every_variant) options.variant = all_variants.at(n);
}

std::string variant_text(const Options& options) {
  return options.every_variant ? all_name : std::string(name(options.variant));
}

void declare_problem(CommandLine& line, Options& o) {
  line.subject("Problem");
  line.integer("--rows", o.rows, std::int64_t{1}, most_rows, "Number of rows of A");
  line.integer("--cols", o.columns, std::int64_t{1}, most_rows, "Number of columns of A");
  line.choice("--type", o.type, all_element_types, "Type of the elements: 4 or 8 bytes");
  line.custom(
      "--pitch", "none|+N|N", [&o](const std::string& text) { o.pitch = parse_pitch(text); },
      [&o] { return pitch_text(o.pitch); },
      "Elements from row to row of A and B: as a row has, N more, or N (default: whole 128-byte "
      "lines)");
  line.integer("--iterations", o.iterations, std::int64_t{1}, most_iterations,
               "Number of timed transposes of each variant");
  line.integer("--repeat", o.repeat, 1, 10000,
               "Number of whole runs, allocation included; the median one stands for all");
}

void declare_variant(CommandLine& line, Options& o) {
  line.subject("Variant");
  line.custom(
      "--variant", "NAME", [&o](const std::string& text) { read_variant(text, o); },
      [&o] { return variant_text(o); },
      fmt::format("Way to transpose: {}; copy is always measured with it",
                  fmt::join(variant_names(), ", ")));
  line.choice("--tile", o.tile, std::array{16, 32},
              "Side of the square tiles of naive, tiled, padded, diagonal and diagonal-conflicts: "
              "32, a warp's width, or 16, as in their source");
}

}  // namespace

std::string_view name(ElementType type) { return type == ElementType::Float ? "float" : "double"; }

std::size_t bytes_of(ElementType type) {
  return type == ElementType::Float ? sizeof(float) : sizeof(double);
}

Pitch parse_pitch(const std::string& text) {
  if (lower_case(text) == "none") return {Pitch::Kind::Added, 0};
  const bool added = text.starts_with('+');
  try {
    const std::string_view number = std::string_view(text).substr(added ? 1 : 0);
    const std::int64_t elements =
        parse_integer(number, added ? 0 : 1, added ? most_padding : most_rows);
    return {added ? Pitch::Kind::Added : Pitch::Kind::Fixed, elements};
  } catch (const std::invalid_argument&) {
    throw std::invalid_argument(fmt::format(
        "'{}' is no pitch: valid are none, +N (N from 0 to {} elements more than a row has) and N "
        "(from 1 to {} elements)",
        text, most_padding, most_rows));
  }
}

std::string pitch_text(const Pitch& pitch) {
  if (pitch.kind == Pitch::Kind::Lines) return {};
  if (pitch.kind == Pitch::Kind::Fixed) return std::to_string(pitch.elements);
  return pitch.elements == 0 ? "none" : fmt::format("+{}", pitch.elements);
}

void declare_options(CommandLine& line, Options& options) {
  declare_problem(line, options);
  declare_variant(line, options);
  declare_placement_options(line, options);
  line.subject("Ranks");
  declare_transport(line, "--exchange", options.exchange);
  line.example("transpose --rows 4096 --cols 16384 --variant all --memspace managed",
               "every way to transpose that matrix in managed memory, each compared with a copy");
}

}  // namespace memstencil::transpose
