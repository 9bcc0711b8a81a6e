// memcompare's command line, as a struct.
#pragma once

#include "app/base/cli/options.hpp"
#include "app/compare/side.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace memstencil::compare {

enum class ReportFormat { Text, Markdown, Json };
std::string_view name(ReportFormat format);

struct Options {
  std::vector<std::string> files;  ///< and folders
  std::vector<std::string> machines, references;
  std::optional<By> by;
  std::string base;                        ///< the name of a side; empty: the first
  std::optional<double> fail_above;        ///< percent
  std::string plots;                       ///< folder; empty: none
  std::string only;                        ///< the plot that is drawn; empty: all
  std::string html;                        ///< file; empty: none
  std::string predict;                     ///< the application; empty: results are compared
  std::string size, assume;                ///< of what is predicted; empty: its default, none
  std::optional<std::int64_t> iterations;  ///< of what is predicted
  std::optional<std::int64_t> nodes;       ///< to which its scaling is predicted; 0: all
  bool full = false;                       ///< text: all tables behind the first screen
  bool force = false;
  ReportFormat format = ReportFormat::Text;
};

void declare_options(CommandLine& line, Options& options);
/// @throws Failure(Usage) for a combination of options that are each valid alone
void check(const Options& options);

}  // namespace memstencil::compare
