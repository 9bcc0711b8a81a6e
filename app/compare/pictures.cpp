// The plots: drawn from the answer by Python scripts next to the program.
#include "app/compare/pictures.hpp"

#include "app/base/runtime/failure.hpp"
#include "app/compare/spawn.hpp"

#include <fmt/format.h>

namespace memstencil::compare {

namespace {

namespace fs = std::filesystem;

/// Python's tracebacks end with the line that says what is wrong.
std::string last_line(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text.substr(text.rfind('\n') + 1);
}

/// Without the user's settings, in no folder from which it could read scripts, and ended after so
/// many seconds.
Ended run(const std::string& python, int seconds, const std::vector<std::string>& arguments,
          const std::string& input) {
  std::vector<std::string> command{"env",
                                   "-C",
                                   "/",
                                   "-u",
                                   "MATPLOTLIBRC",
                                   "-u",
                                   "PYTHONHOME",
                                   "-u",
                                   "PYTHONSTARTUP",
                                   "timeout",
                                   "--kill-after=5",
                                   std::to_string(seconds),
                                   python,
                                   "-B"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  Ended done = spawn(command, input);
  constexpr int out_of_time = 124;  // of timeout
  if (done.code == out_of_time) done.errors = fmt::format("Python was ended after {} s", seconds);
  return done;
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

Python find_python() {
  const std::string script = shared_file("plots/draw.py");
  constexpr int seconds = 120;  // file systems of clusters can be slow
  std::string why;
  for (const char* python : {"python3", "/usr/bin/python3"}) {
    const Ended tried = run(python, seconds, {script, "--check"}, "");
    if (tried.code == 0) return {python, script};
    why += fmt::format("; {}: {}", python, last_line(tried.errors));
  }
  throw Failure(ExitCode::Machine,
                "plots need a Python with matplotlib: install python3-matplotlib (Debian) or "
                "py-matplotlib (Spack)" +
                    why);
}

std::vector<Picture> draw(const Python& python, const Record& answer, const std::string& only,
                          const fs::path& folder, bool files) {
  std::vector<std::string> arguments{python.script, fs::absolute(folder), files ? "files" : "page"};
  if (!only.empty()) arguments.push_back(only);
  constexpr int seconds = 1800;  // a minute or two are usual for many runs on a busy machine
  const Ended drawn = run(python.program, seconds, arguments,
                          answer.dump(-1, ' ', false, Record::error_handler_t::replace));
  if (drawn.code != 0)
    throw Failure(ExitCode::Other,
                  fmt::format("drawing the plots failed: {}", last_line(drawn.errors)));
  std::vector<Picture> pictures;
  for (const Record& each : Record::parse(drawn.output))
    pictures.push_back({.name = each.at("name"),
                        .title = each.at("title"),
                        .caption = each.at("caption"),
                        .group = each.at("group"),
                        .lead = each.at("lead"),
                        .svg = each.at("svg")});
  return pictures;
}

}  // namespace memstencil::compare
