// Files that are installed with memcompare: scripts, styles, descriptions of machines.
#include "app/compare/read/installed.hpp"

#include "app/base/cli/options.hpp"
#include "app/base/runtime/failure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

namespace memstencil::compare {

namespace fs = std::filesystem;

fs::path shared_file(const std::string& name) {
  // build/bin and build/share, or PREFIX/bin and PREFIX/share.
  const fs::path program = fs::read_symlink("/proc/self/exe");
  fs::path file = program.parent_path().parent_path() / "share/memstencil" / name;
  if (!fs::exists(file))
    throw Failure(ExitCode::Other,
                  fmt::format("{} is missing: it is installed with the program", file.string()));
  return file;
}

std::string machine_file(const std::string& named) {
  const std::string ending = ".toml";
  if (named.find('/') != named.npos || named.ends_with(ending)) return named;
  const fs::path folder = shared_file("machines");
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ending) names.push_back(entry.path().stem());
  std::ranges::sort(names);
  try {
    return folder / (names[CommandLine::index_of(named, names)] + ending);
  } catch (const std::invalid_argument& none) {
    throw Failure(ExitCode::Usage, fmt::format("--machine: {}", none.what()));
  }
}

}  // namespace memstencil::compare
