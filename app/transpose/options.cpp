// transpose's command line, as a struct.
#include "app/transpose/options.hpp"

#include "app/bench/repeats.hpp"

#include <fmt/format.h>

#include <array>
#include <limits>
#include <stdexcept>

namespace memstencil::transpose {

namespace {

constexpr std::int64_t most_rows = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t most_padding = 1'000'000;

void declare_own(CommandLine& line, Options& o) {
  line.subject("Problem");
  line.integer("--rows", o.rows, std::int64_t{1}, most_rows, "Number of rows of A");
  line.integer("--cols", o.columns, std::int64_t{1}, most_rows, "Number of columns of A");
  line.choice("--type", o.type, all_element_types, "Type of the elements: 4 or 8 bytes");
  line.custom(
      "--pitch", "none|+N|N", [&o](const std::string& text) { o.pitch = parse_pitch(text); },
      [&o] { return pitch_text(o.pitch); },
      "Elements from one row to the next in A and B (default: as many as fill lines of 128 bytes)\n"
      "none: as many as a row has\n"
      "+N: N more than a row has, 0 to 1000000\n"
      "N: this number, 1 to 2147483647");
  line.integer("--iterations", o.iterations, std::int64_t{1}, most_iterations,
               "Number of timed transposes of each variant");
  line.integer("--repeat", o.repeat, 1, most_repeats, repeat_help);
  line.subject("Variant");
  line.choice_or("all", "--variant", o.variant, all_variants,
                 "Way to transpose\n"
                 "all: each of these\n"
                 "copy: none, as the measure of the others; it always runs\n"
                 "naive: each element by itself, without tiles\n"
                 "tiled: through shared memory\n"
                 "padded: as tiled, without bank conflicts\n"
                 "diagonal: as padded, tiles taken along diagonals\n"
                 "diagonal-conflicts: as tiled, tiles taken along diagonals\n"
                 "portable: Kokkos, on any processor\n"
                 "vendor: cuBLAS");
  line.choice("--tile", o.tile, std::array{16, 32},
              "Side of the tiles of naive, tiled, padded, diagonal and diagonal-conflicts\n"
              "16: as in their source\n"
              "32: a warp's width");
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
        "'{}' is no pitch, which counts elements: valid are none, +N (0 to {} more than a row has) "
        "and N (1 to {})",
        text, most_padding, most_rows));
  }
}

std::string pitch_text(const Pitch& pitch) {
  if (pitch.kind == Pitch::Kind::Lines) return {};
  if (pitch.kind == Pitch::Kind::Fixed) return std::to_string(pitch.elements);
  return pitch.elements == 0 ? "none" : fmt::format("+{}", pitch.elements);
}

void declare_options(CommandLine& line, Options& options) {
  declare_own(line, options);
  declare_placement_options(line, options);
  line.subject("Ranks");
  declare_transport(line, "--exchange", options.exchange);
  line.example("transpose --rows 4096 --cols 16384 --variant all --memspace managed",
               "every way to transpose that matrix in managed memory, each compared with a copy");
}

}  // namespace memstencil::transpose
