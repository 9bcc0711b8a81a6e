// Files that are installed with memcompare: scripts, styles, descriptions of machines.
#pragma once

#include "app/base/runtime/failure.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <string>

namespace memstencil::compare {

/// "page/page.css", as it stands next to the program, built or installed.
/// @throws Failure(Other) if it is missing
inline std::filesystem::path shared_file(const std::string& name) {
  namespace fs = std::filesystem;
  // build/bin and build/share, or PREFIX/bin and PREFIX/share.
  const fs::path program = fs::read_symlink("/proc/self/exe");
  fs::path file = program.parent_path().parent_path() / "share/memstencil" / name;
  if (!fs::exists(file))
    throw Failure(ExitCode::Other,
                  fmt::format("{} is missing: it is installed with the program", file.string()));
  return file;
}

}  // namespace memstencil::compare
