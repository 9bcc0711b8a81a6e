// Files that are installed with memcompare: scripts, styles, descriptions of machines.
#pragma once

#include <filesystem>
#include <string>

namespace memstencil::compare {

/// "page/page.css", as it stands next to the program, built or installed.
/// @throws Failure(Other) if it is missing
std::filesystem::path shared_file(const std::string& name);

/// The description that --machine names: a path (with a slash, or the ending .toml), or the name of
/// an installed one.
/// @throws Failure(Usage) with the names that are valid
std::string machine_file(const std::string& named);

}  // namespace memstencil::compare
