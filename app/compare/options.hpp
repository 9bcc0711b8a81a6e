// memcompare's command line, as a struct.
#pragma once

#include "app/base/cli/options.hpp"
#include "app/compare/predict/predictions.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace memstencil::compare {

enum class ReportFormat { Text, Markdown, Json, Csv };
std::string_view name(ReportFormat format);

/// The command line.
struct Options {
  std::vector<std::string> files;  ///< and folders
  std::vector<std::string> machines, references;
  std::optional<double> fail_above;  ///< percent
  std::string plots;                 ///< folder; empty: none
  std::string html;                  ///< file; empty: none
  PredictedTask task;  ///< all of it but what is assumed; no application: results are compared
  std::optional<Executor> first_touch;
  std::string assume;   ///< file; empty: none
  bool full = false;    ///< text: all tables behind the screen; JSON: series, too
  bool probes = false;  ///< csv: points of membench
  bool known = false;   ///< next to the kept sample of the same GPU
  bool force = false, quiet = false;
  ReportFormat format = ReportFormat::Text;
};

/// Declares the options on the command line, to be stored in `options` by parse().
void declare_options(CommandLine& line, Options& options);

/// @throws Failure(Usage) for a combination of options that are each valid alone
void check(const Options& options);

}  // namespace memstencil::compare
