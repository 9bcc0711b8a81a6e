// membench's command line, as a struct.
#pragma once

#include "app/common/cli/options.hpp"
#include "app/membench/core/probe.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace memstencil::membench {

struct Options {
  std::string probe;  ///< "list", "all", or a probe's name
  Settings settings;
  std::optional<int> gpu;
};

/// Declares membench's options on the command line, to be stored in `options` by parse().
void declare_options(CommandLine& line, Options& options);

/// The probes named on the command line: one, or all.
/// @throws Failure(Usage) where there is none of this name, or one probe is given
///   an option of other probes
std::vector<const Probe*> chosen_probes(const Options& options);

/// "4096", "512MB" (10^6 bytes), "4GiB" (2^30 bytes); at least one page of 4096 bytes.
/// @throws std::invalid_argument that says what is valid
std::size_t parse_bytes(std::string_view text);

}  // namespace memstencil::membench
