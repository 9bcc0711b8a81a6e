// The options that all grid codes have.
#include "app/grid/options.hpp"

#include "app/base/ranks/collectively.hpp"
#include "app/bench/repeats.hpp"

#include <CLI/CLI.hpp>

#include <stdexcept>

namespace memstencil {

namespace {

void read_pre_touch(const std::string& text, GridOptions& options) {
  if (text != "device")
    throw std::invalid_argument("'" + text + "' makes no pass before the sweeps: valid is device");
  options.pre_touch = true;
}

}  // namespace

void declare_problem(CommandLine& line, GridOptions& o, const std::string& sizes) {
  line.subject("Problem");
  line.custom(
      "--size", "XS|S|M|L|XL|IxJxK",
      [&o](const std::string& text) { o.extents = parse_size(text); },
      [&o] { return size_name(o.extents); },
      "Points of the grid, and memory of its arrays: " + sizes +
          "; or I, J and K from 3, K running fastest");
  auto* iterations = line.integer("--iterations", o.iterations, std::int64_t{1}, most_iterations,
                                  "Number of timed sweeps");
  auto* seconds = line.real("--seconds", o.seconds, 1e-3, 1e7,
                            "Time of the sweeps in seconds. A rehearsal, a run of its own of at "
                            "least 3 sweeps and a tenth of this time, finds their number, which "
                            "all repeats make: together at most 10000000");
  iterations->excludes(seconds);
  line.integer("--repeat", o.repeat, 1, 10000,
               "Number of whole runs, allocation included; the median one stands for all");
}

void declare_memory(CommandLine& line, GridOptions& o) {
  declare_placement_options(line, o);
  line.custom(
      "--pre-touch", "device", [&o](const std::string& text) { read_pre_touch(text, o); },
      [&o] { return std::string(o.pre_touch ? "device" : ""); },
      "With --first-touch host: the GPU reads all arrays once before the timed sweeps, so that "
      "pages move to it; timed on its own");
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
      "Number of ranks in i, j and k; auto: the division whose messages cost "
      "least");
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
