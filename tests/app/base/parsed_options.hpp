// A program's options as its command line reads them.
#pragma once

#include "app/base/cli/options.hpp"
#include "tests/app/base/refusal.hpp"

#include <string>
#include <vector>

namespace memstencil {

template <class Options>
struct ParsedOptions {
  Options options;
  Record record;  ///< as the results carry it
};

template <class Options>
ParsedOptions<Options> parse_options(std::vector<const char*> arguments) {
  ParsedOptions<Options> parsed;
  CommandLine line("program", "A benchmark.", "program 1");
  declare_options(line, parsed.options);
  arguments.insert(arguments.begin(), "program");
  line.parse(static_cast<int>(arguments.size()), arguments.data());
  parsed.record = line.options();
  return parsed;
}

/// The line that the arguments are refused with.
template <class Options>
std::string refused_options(const std::vector<const char*>& arguments) {
  return refusal(ExitCode::Usage, [&] { parse_options<Options>(arguments); });
}

}  // namespace memstencil
