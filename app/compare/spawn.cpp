// Another program, started and waited for: its input and outputs are files without names.
#include "app/compare/spawn.hpp"

#include "app/base/runtime/failure.hpp"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

namespace memstencil::compare {

namespace {

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Close>;

/// @throws Failure(Other) where there is no room for it
File file_of(const std::string& content) {
  File file(std::tmpfile());
  if (file == nullptr ||
      std::fwrite(content.data(), 1, content.size(), file.get()) != content.size() ||
      std::fflush(file.get()) != 0)
    throw Failure(ExitCode::Other,
                  fmt::format("cannot write a temporary file: {}", std::strerror(errno)));
  std::rewind(file.get());
  return file;
}

std::string content_of(std::FILE* file) {
  std::string content;
  char part[65536];
  std::rewind(file);
  while (const std::size_t count = std::fread(part, 1, sizeof part, file))
    content.append(part, count);
  return content;
}

}  // namespace

Ended spawn(const std::vector<std::string>& command, const std::string& input) {
  const File in = file_of(input), out = file_of(""), err = file_of("");
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, fileno(in.get()), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, fileno(out.get()), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, fileno(err.get()), STDERR_FILENO);
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  pid_t child = -1;
  const int error =
      posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) return {.code = 127, .output = "", .errors = std::strerror(error)};
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return {.code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status),
          .output = content_of(out.get()),
          .errors = content_of(err.get())};
}

}  // namespace memstencil::compare
