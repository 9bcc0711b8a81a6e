// himeno's command line, as a struct.
#include "app/himeno/options.hpp"

#include "app/base/cli/numbers.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace memstencil::himeno {

namespace {

void read_coefficients(const std::string& text, Options& options) {
  constexpr std::string_view random = "random:";
  options.seed.reset();
  if (text == "standard") return;
  if (text.starts_with(random)) {
    try {
      options.seed =
          static_cast<std::uint64_t>(parse_integer(std::string_view(text).substr(random.size()), 0,
                                                   std::numeric_limits<std::int64_t>::max()));
      return;
    } catch (const std::invalid_argument&) {
    }
  }
  throw std::invalid_argument(
      "'" + text +
      "' names no coefficients: valid are standard and random:SEED, SEED an integer from 0");
}

void read_pre_touch(const std::string& text, Options& options) {
  if (text != "device")
    throw std::invalid_argument("'" + text + "' makes no pass before the sweeps: valid is device");
  options.pre_touch = true;
}

void declare_problem(CommandLine& line, Options& o) {
  line.subject("Problem");
  line.custom(
      "--size", "XS|S|M|L|XL|IxJxK",
      [&o](const std::string& text) { o.extents = parse_size(text); },
      [&o] { return size_name(o.extents); },
      "Points of the grid, and memory of its arrays: XS 32x32x64 (4 MB), S 64x64x128 (29 MB), "
      "M 128x128x256 (235 MB), L 256x256x512 (1.9 GB), XL 512x512x1024 (15 GB); or I, J and K "
      "from 3, K running fastest");
  auto* iterations = line.integer("--iterations", o.iterations, std::int64_t{1},
                                  std::int64_t{1000000000}, "Number of timed sweeps");
  auto* seconds =
      line.real("--seconds", o.seconds, 1e-3, 1e7,
                "Time of the sweeps in seconds, about: 3 sweeps, as in the original's rehearsal, "
                "tell how many these are");
  iterations->excludes(seconds);
  line.integer("--repeat", o.repeat, 1, 10000,
               "Number of whole runs, allocation included; the median one stands for all");
  line.custom(
      "--coefficients", "standard|random:SEED",
      [&o](const std::string& text) { read_coefficients(text, o); },
      [&o] { return coefficients_name(o.seed); },
      "The original's values, or random ones around them with 2 % obstacles");
}

void declare_memory(CommandLine& line, Options& o) {
  declare_placement_options(line, o);
  line.custom(
      "--layout", "arrays|packed|auto",
      [&o](const std::string& text) { o.layout = parse_layout(text); },
      [&o] { return std::string(o.layout ? name(*o.layout) : "auto"); },
      "The coefficients as twelve arrays, as the original's; packed in one, those of eight points "
      "side by side, [i][j][k/8][12][8], with the same results to the bit; or what a short trial "
      "finds fastest");
  line.custom(
      "--pre-touch", "device", [&o](const std::string& text) { read_pre_touch(text, o); },
      [&o] { return std::string(o.pre_touch ? "device" : ""); },
      "With --first-touch host: the GPU reads all arrays once before the timed sweeps, so that "
      "pages move to it; timed on its own");
  line.flag("--list-memspaces", o.list_memspaces,
            "Print the memory spaces that this machine serves, and why not the others, and end");
}

void declare_sweep(CommandLine& line, Options& o) {
  line.subject("Sweep");
  line.custom(
      "--sweep", "single|temporal:T|auto",
      [&o](const std::string& text) { o.sweep = parse_sweep_choice(text); },
      [&o] { return name(o.sweep); },
      "Kind of sweep: one sweep a pass, T sweeps fused into one pass (T from 2 to 16), or the kind "
      "that a short trial finds fastest");
  line.flag("--tune", o.tune,
            "Print the times of every kind of sweep and tile, with --layout auto of both layouts, "
            "and end");
}

void declare_ranks(CommandLine& line, Options& o) {
  line.subject("Ranks");
  line.custom(
      "--ranks", "PxQxR", [&o](const std::string& text) { o.ranks = parse_ranks(text); },
      [&o] { return o.ranks ? ranks_text(*o.ranks) : std::string("auto"); },
      "Number of ranks in i, j and k; auto: the division whose messages cost "
      "least");
  line.choice("--halo", o.halo, all_message_paths, message_path_help);
}

void declare_output(CommandLine& line, Options& o) {
  line.subject(output_subject);
  line.flag("--save-field", o.save_field, "Write p beside the result, as NAME.field");
  line.flag("--gosa-history", o.gosa_history, "Report gosa of every sweep");
}

}  // namespace

SweepChoice parse_sweep_choice(const std::string& text) {
  constexpr std::string_view temporal = "temporal:";
  if (text == "single") return {};
  if (text == "auto") return {.sweeps = 1, .automatic = true};
  if (text.starts_with(temporal)) {
    try {
      return {.sweeps = static_cast<int>(
                  parse_integer(std::string_view(text).substr(temporal.size()), 2, 16))};
    } catch (const std::invalid_argument&) {
    }
  }
  throw std::invalid_argument(
      "'" + text +
      "' is not a kind of sweep: valid are single, temporal:T with T from 2 to 16, and auto");
}

std::string name(const SweepChoice& choice) {
  if (choice.automatic) return "auto";
  return choice.sweeps == 1 ? "single" : "temporal:" + std::to_string(choice.sweeps);
}

std::optional<jacobi::Layout> parse_layout(const std::string& text) {
  for (const jacobi::Layout layout : jacobi::all_layouts)
    if (text == name(layout)) return layout;
  if (text == "auto") return std::nullopt;
  throw std::invalid_argument("'" + text + "' is no layout: valid are arrays, packed and auto");
}

std::string coefficients_name(const std::optional<std::uint64_t>& seed) {
  return seed ? "random:" + std::to_string(*seed) : "standard";
}

void declare_options(CommandLine& line, Options& options) {
  declare_problem(line, options);
  declare_memory(line, options);
  declare_sweep(line, options);
  declare_ranks(line, options);
  declare_output(line, options);
  line.example("himeno --size L --memspace managed --repeat 3 --output result.h5",
               "three runs with 1.9 GB of managed memory, written into a file for memcompare");
}

}  // namespace memstencil::himeno
