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

/// Programs whose time the model predicts for a machine that is only described.
enum class Predicted { Himeno, Transpose };
std::string_view name(Predicted program);

enum class ReportFormat { Text, Markdown, Json };
std::string_view name(ReportFormat format);

struct Options {
  std::vector<std::string> files;  ///< and folders
  std::vector<std::string> machines;
  std::vector<std::string> references;
  std::string plots;  ///< folder; empty: none
  std::string html;   ///< file; empty: none
  std::optional<Predicted> predict;
  std::string size;                        ///< of what is predicted; empty: its default
  std::optional<std::int64_t> iterations;  ///< of what is predicted
  std::optional<std::int64_t> nodes;       ///< to which its scaling is predicted; 0: all
  std::optional<By> by;
  bool full = false;  ///< text: all tables behind the summary
  bool force = false;
  ReportFormat format = ReportFormat::Text;
};

void declare_options(CommandLine& line, Options& options);

}  // namespace memstencil::compare
