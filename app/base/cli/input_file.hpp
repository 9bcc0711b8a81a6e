// The input file of a program (TOML): options under their own names, for those that argv leaves.
#pragma once

#include <CLI/CLI.hpp>

#include <map>
#include <string>
#include <vector>

namespace memstencil {

/// The long names of the options that are no positionals, without dashes.
std::vector<std::string> option_names(const CLI::App& app);

/// Gives CLI11 what the file sets. Unlike CLI11's own reader it refuses keys that are no option,
/// and values of another type; TOML itself refuses a key that stands twice. An option of argv,
/// already read, removes the file's that it excludes.
class InputFile : public CLI::Config {
public:
  /// @param lines takes the line of each option that the file sets
  InputFile(std::string path, const CLI::App& app, std::string program,
            std::map<std::string, unsigned>& lines)
      : path_(std::move(path)), app_(app), program_(std::move(program)), lines_(lines) {}

  /// Of the file, not of the stream. @throws Failure(Usage) in one line with the file's
  std::vector<CLI::ConfigItem> from_config(std::istream& unused) const override;
  std::string to_config(const CLI::App*, bool, bool, std::string) const override { return {}; }

private:
  std::string path_;
  const CLI::App& app_;
  std::string program_;
  std::map<std::string, unsigned>& lines_;
};

}  // namespace memstencil
