// himeno's command line, as a struct.
#include "app/himeno/options.hpp"

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
      options.seed = static_cast<std::uint64_t>(parse_integer(std::string_view(text).substr(random.size()), 0,
                                                              std::numeric_limits<std::int64_t>::max()));
      return;
    } catch (const std::invalid_argument&) {
    }
  }
  throw std::invalid_argument(
      "'" + text + "' names no coefficients: valid are standard and random:SEED, SEED an integer from 0");
}

void declare_case(CommandLine& line, Options& o) {
  line.custom(
      "--size", "S|IxJxK", [&o](const std::string& text) { o.extents = parse_size(text); },
      [&o] { return size_name(o.extents); }, "Grid: XS, S, M, L, XL, or any extents (k fastest)");
  auto* iterations =
      line.integer("--iterations", o.iterations, std::int64_t{1}, std::int64_t{1000000000}, "Sweeps");
  auto* seconds =
      line.real("--seconds", o.seconds, 1e-3, 1e7,
                "Sweep for about this long: a rehearsal of 3 sweeps, as the original's, chooses how often");
  iterations->excludes(seconds);
  line.integer("--repeat", o.repeat, 1, 10000, "Repeat the whole run, allocation included");
  line.custom(
      "--coefficients", "standard|random:SEED", [&o](const std::string& text) { read_coefficients(text, o); },
      [&o] { return o.seed ? "random:" + std::to_string(*o.seed) : std::string("standard"); },
      "The original's values, or random ones around them with 2% obstacles");
}

void declare_memory(CommandLine& line, Options& o) {
  declare_placement_options(line, o);
  line.custom(
      "--place", "p=NAME,coefficients=NAME",
      [&o](const std::string& text) { o.place = parse_group_spaces(text); },
      [&o] { return group_spaces_text(o.place); }, "Spaces of their own for p and for the coefficients");
  line.flag("--list-memspaces", o.list_memspaces,
            "Say which spaces this machine serves, and why not, and end");
}

void declare_sweep(CommandLine& line, Options& o) {
  line.custom(
      "--sweep", "single|temporal:T|auto",
      [&o](const std::string& text) { o.sweep = parse_sweep_kind(text); }, [&o] { return name(o.sweep); },
      "One sweep a pass, T sweeps fused, or what a short trial finds fastest");
  line.flag("--tune", o.tune, "Print the time of every kind of sweep and tile, and end");
  line.custom(
      "--ranks", "PxQxR", [&o](const std::string& text) { o.ranks = parse_ranks(text); },
      [&o] { return o.ranks ? ranks_text(*o.ranks) : std::string("auto"); }, "Ranks in i, j and k");
  line.choice(
      "--halo", o.halo, all_halo_paths,
      "Messages by MPI from device memory, by MPI staged in host memory, or by NCCL between GPUs; auto: the "
      "first of device, nccl, staged that all ranks can");
  line.flag("--save-field", o.save_field, "Write p into the output file");
  line.flag("--gosa-history", o.gosa_history, "Report gosa of every sweep");
}

}  // namespace

void declare_options(CommandLine& line, Options& options) {
  declare_case(line, options);
  declare_memory(line, options);
  declare_sweep(line, options);
}

}  // namespace memstencil::himeno
