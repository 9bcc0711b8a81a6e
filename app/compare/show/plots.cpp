// Files that are installed with the program, and the plots of the answer, which scripts among them
// draw.
#include "app/base/record/output_file.hpp"
#include "app/compare/show/report.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>

namespace memstencil::compare {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Picture, name, title, caption, lead, svg)

namespace {

namespace fs = std::filesystem;

/// A file in memory, without a name. @throws Failure(Other) if there is no room for it
Descriptor scratch(const std::string& content = "") {
  Descriptor file(memfd_create("memcompare", MFD_CLOEXEC));
  if (file < 0 || !write_all(file, content) || lseek(file, 0, SEEK_SET) != 0)
    throw Failure(ExitCode::Other,
                  fmt::format("cannot write a temporary file: {}", std::strerror(errno)));
  return file;
}

struct Ended {
  int code = 0;
  std::string output, errors;
};

/// Python's tracebacks end with the line that says what is wrong.
std::string last_line(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text.substr(text.rfind('\n') + 1);
}

/// The script, without the user's settings, in no folder from which it could read others, and ended
/// after some time; 127: it could not be started.
Ended run(const char* python, const std::string& folder, const std::string& input) {
  constexpr int seconds = 1800;     // a minute or two are usual for many runs on a busy machine
  constexpr int out_of_time = 124;  // of timeout
  const Descriptor in = scratch(input), out = scratch(), err = scratch();
  // What a user wrote reaches the shell by variables alone.
  setenv("MEMCOMPARE_SCRIPT", shared_file("plots/draw.py").c_str(), 1);
  setenv("MEMCOMPARE_FOLDER", folder.c_str(), 1);
  const auto file = [](const Descriptor& of) {
    return fmt::format("/proc/{}/fd/{}", getpid(), static_cast<int>(of));
  };
  const std::string command = fmt::format(
      "env -C / -u MATPLOTLIBRC -u PYTHONHOME -u PYTHONSTARTUP timeout --kill-after=5 {} {} -B "
      "\"$MEMCOMPARE_SCRIPT\" \"$MEMCOMPARE_FOLDER\" <{} >{} 2>{}",
      seconds, python, file(in), file(out), file(err));
  const int status = std::system(command.c_str());
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 127;
  return {code, content_of(file(out)),
          code == out_of_time ? fmt::format("Python was ended after {} s", seconds)
                              : content_of(file(err))};
}

}  // namespace

fs::path shared_file(const std::string& name) {
  // build/bin and build/share, or PREFIX/bin and PREFIX/share.
  const fs::path program = fs::read_symlink("/proc/self/exe");
  fs::path file = program.parent_path().parent_path() / "share/memstencil" / name;
  if (!fs::exists(file))
    throw Failure(ExitCode::Other,
                  fmt::format("{} is missing: it is installed with the program", file.string()));
  return file;
}

std::string content_of(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<Picture> draw(const Record& answer, const std::string& folder) {
  constexpr int no_matplotlib = 3, unwritten = 4, no_python = 127;  // of the script; of timeout
  const std::string input = answer.dump(-1, ' ', false, Record::error_handler_t::replace);
  std::string why;
  for (const char* python : {"python3", "/usr/bin/python3"}) {
    const Ended drawn = run(python, folder.empty() ? "" : fs::absolute(folder).string(), input);
    why += fmt::format("; {}: {}", python, last_line(drawn.errors));
    if (drawn.code == no_matplotlib || drawn.code == no_python) continue;
    if (drawn.code != 0)
      throw Failure(ExitCode::Other, (drawn.code == unwritten ? "" : "drawing the plots failed: ") +
                                         last_line(drawn.errors));
    return nlohmann::json::parse(drawn.output).get<std::vector<Picture>>();
  }
  throw Failure(ExitCode::Machine,
                "plots need a Python with matplotlib: install python3-matplotlib (Debian) or "
                "py-matplotlib (Spack)" +
                    why);
}

}  // namespace memstencil::compare
