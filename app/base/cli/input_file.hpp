// The input file of a program (TOML): options under their own names, for those that argv leaves.
#pragma once

#include <CLI/CLI.hpp>

#include <map>
#include <string>
#include <vector>

namespace memstencil {

/// The long names of the options that are no positionals, without dashes.
std::vector<std::string> option_names(const CLI::App& app);

/// Sets the options of the file that argv, already read, has not given, nor given one that excludes
/// them. Unlike CLI11's own reader this refuses keys that are no option, and values of another
/// type; TOML itself refuses a key that stands twice.
/// @param lines takes the line of each option that the file sets
/// @throws Failure(Usage) in one line with the file's
void read_input_file(const std::string& path, CLI::App& app, const std::string& program,
                     std::map<std::string, unsigned>& lines);

}  // namespace memstencil
