// The text of --help: options by subject, each with its default, in lines of at most 98 characters.
#pragma once

#include <CLI/CLI.hpp>

#include <string>

namespace memstencil {

/// The subject of the options that every program takes: it comes last.
inline constexpr const char* output_subject = "Output and input";

class HelpText : public CLI::Formatter {
public:
  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override;
  std::string make_option(const CLI::Option* option, bool is_positional) const override;
};

}  // namespace memstencil
