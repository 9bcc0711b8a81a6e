// membench's command line: the probe, its axes as asked for, and how to sample.
#pragma once

#include "app/base/cli/options.hpp"
#include "app/membench/core/probe.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace memstencil::membench {

struct Options {
  std::string probe;  ///< "list", "all", or a probe's name
  Setup setup;
  std::optional<int> gpu, numa, repeats, experiments;
  std::string size, memspace;     ///< short forms of --axis bytes=... and --axis memory=...
  std::vector<std::string> axes;  ///< NAME=VALUE,VALUE
};

/// Declares membench's options on the command line, to be stored in `options` by parse().
void declare_options(CommandLine& line, Options& options);

/// A probe and the axes that it is to measure.
struct Chosen {
  const Probe* probe;
  std::vector<Axis> axes;
};
/// The probes named on the command line: one, or all.
/// @throws Failure(Usage) where there is none of this name; for an axis that the probe has not, or
///   none of all; for a value that is not valid
std::vector<Chosen> chosen_probes(const Options& options);

/// "512MB" (10^6 bytes), "4GiB" (2^30 bytes), "4096".
/// @throws std::invalid_argument that says what is valid
double parse_bytes(std::string_view text);

}  // namespace memstencil::membench
