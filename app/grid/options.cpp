// The options that all grid codes have.
#include "app/grid/options.hpp"

#include "app/base/ranks/collectively.hpp"
#include "app/base/record/text_report.hpp"
#include "app/bench/repeats.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

namespace memstencil {

void declare_problem(CommandLine& line, GridOptions& o, double bytes_of_point) {
  line.subject("Problem");
  std::string sizes;
  for (const auto& [name, extents] : named_sizes) {
    const auto [i, j, k] = extents;
    sizes += fmt::format("\n{}: {}x{}x{}, {}", name, i, j, k,
                         bytes_text(bytes_of_point * static_cast<double>(i * j * k)));
  }
  line.custom(
      "--size", "XS|S|M|L|XL|IxJxK",
      [&o](const std::string& text) { o.extents = parse_size(text); },
      [&o] { return size_name(o.extents); },
      "Points of the grid, and so the memory of the arrays" + sizes +
          "\nIxJxK: extents of your own, each from 3 (K runs fastest)");
  auto* iterations = line.integer("--iterations", o.iterations, std::int64_t{1}, most_iterations,
                                  "Number of timed sweeps");
  auto* seconds = line.real("--seconds", o.seconds, 1e-3, 1e7,
                            "Time that the sweeps of a run take, in seconds\nA run before (at "
                            "least 3 sweeps and a tenth of this time) finds their number, the same "
                            "in all repeats; together at most 10000000");
  iterations->excludes(seconds);
  line.integer("--repeat", o.repeat, 1, most_repeats, repeat_help);
}

void declare_memory(CommandLine& line, GridOptions& o) {
  declare_placement_options(line, o);
  line.choice("--pre-touch", o.pre_touch, std::array{Executor::Device},
              "With --first-touch host: before the sweeps the GPU reads all arrays once, so that "
              "their pages move to it");
}

void declare_ranks(CommandLine& line, GridOptions& o) {
  line.subject("Ranks");
  line.custom(
      "--ranks", "PxQxR|auto",
      [&o](const std::string& text) {
        o.ranks.reset();
        if (text != "auto") o.ranks = parse_ranks(text);
      },
      [&o] { return o.ranks ? ranks_text(*o.ranks) : std::string("auto"); },
      "Number of ranks in i, j and k\n"
      "auto: the division whose messages cost least");
  declare_transport(line, "--halo", o.halo);
}

void check_combinations(const GridOptions& o) {
  const auto fail_usage = [](const char* line) { throw CollectiveFailure(ExitCode::Usage, line); };
  check_iterations(o.iterations, o.repeat);
  if (!o.pre_touch) return;
  if (o.first_touch != Executor::Host || o.executor == Executor::Host)
    fail_usage(
        "--pre-touch device is a pass of the GPU over what the host has touched: it goes with "
        "--first-touch host and --exec device");
  if (!touch_makes_pages(o.memspace))
    fail_usage(
        "--pre-touch device needs memory whose pages can move: --memspace managed or system");
}

}  // namespace memstencil
