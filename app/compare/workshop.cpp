// A hidden folder in which plots are drawn, and the Python that draws them there.
#include "app/compare/workshop.hpp"

#include "app/base/runtime/failure.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace memstencil::compare {

namespace {

namespace fs = std::filesystem;

const std::string workshop_stem = ".memstencil-plots-";

/// A folder's number, locked, if it is ours and still there, and no process holds it; or -1.
int lock_workshop(const fs::path& folder) {
  const int file = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  struct stat found {};
  std::error_code unknown;
  if (file >= 0 && fstat(file, &found) == 0 && found.st_uid == geteuid() &&
      flock(file, LOCK_EX | LOCK_NB) == 0 && fs::exists(folder, unknown))
    return file;
  if (file >= 0) close(file);
  return -1;
}

void remove_abandoned(const fs::path& parent) {
  std::error_code ignored;
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(parent, ignored))
    if (Workshop::is_named(entry.path())) found.push_back(entry.path());
  for (const fs::path& each : found)
    if (const int file = lock_workshop(each); file >= 0) {
      fs::remove_all(each, ignored);
      close(file);
    }
}

}  // namespace

Workshop::Workshop(const fs::path& parent) {
  remove_abandoned(parent);
  // Before it is locked, another compare may remove the new folder as an abandoned one. Where
  // folders cannot be locked, no try succeeds, and the last folder is used without a lock.
  constexpr int most_tries = 3;
  for (int n = 0; n < most_tries && held_ < 0; ++n) {
    std::error_code ignored;
    if (n > 0) fs::remove(path_, ignored);
    std::string name = fs::absolute(parent) / (workshop_stem + "XXXXXX");
    if (mkdtemp(name.data()) == nullptr)
      throw Failure(ExitCode::Other,
                    fmt::format("cannot write into {}: {}", parent.string(), std::strerror(errno)));
    path_ = name;
    held_ = lock_workshop(path_);
  }
}

Workshop::~Workshop() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
  if (held_ >= 0) close(held_);
}

bool Workshop::is_named(const fs::path& path) {
  return path.filename().string().starts_with(workshop_stem);
}

Ended Workshop::run_python(const std::string& python, int seconds,
                           const std::vector<std::string>& arguments,
                           const std::string& input) const {
  std::vector<std::string> command{"env", "-C", path_};
  for (const char* setting : {"MATPLOTLIBRC", "PYTHONHOME", "PYTHONSTARTUP"})
    command.insert(command.end(), {"-u", setting});
  command.insert(command.end(), {"MPLCONFIGDIR=" + (path_ / "matplotlib").string(), "timeout",
                                 "--kill-after=5", std::to_string(seconds), python, "-B"});
  command.insert(command.end(), arguments.begin(), arguments.end());
  Ended done = spawn(command, input);
  constexpr int out_of_time = 124;  // of timeout
  if (done.code == out_of_time) done.errors = fmt::format("Python was ended after {} s", seconds);
  return done;
}

}  // namespace memstencil::compare
