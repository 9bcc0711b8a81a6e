// Another program, started and waited for: text in, text out.
#include "app/compare/spawn.hpp"

#include "app/base/runtime/failure.hpp"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <thread>

namespace memstencil::compare {

namespace {

/// Both ends closed with it.
class Pipe {
public:
  Pipe() {
    if (pipe(ends_.data()) != 0)
      throw Failure(ExitCode::Other, fmt::format("cannot make a pipe: {}", std::strerror(errno)));
  }
  ~Pipe() {
    close_end(0);
    close_end(1);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  int reading() const { return ends_[0]; }
  int writing() const { return ends_[1]; }
  void close_end(std::size_t end) {
    if (ends_[end] >= 0) close(ends_[end]);
    ends_[end] = -1;
  }

private:
  std::array<int, 2> ends_{};
};

std::string all_of(int end) {
  std::string text;
  std::array<char, 65536> part{};
  for (;;) {
    const ssize_t count = read(end, part.data(), part.size());
    if (count > 0) text.append(part.data(), static_cast<std::size_t>(count));
    if (count == 0 || (count < 0 && errno != EINTR)) return text;
  }
}

/// A child that ends early takes no more: its exit code says why.
void give(int end, const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t count = write(end, text.data() + done, text.size() - done);
    if (count > 0) done += static_cast<std::size_t>(count);
    if (count < 0 && errno != EINTR) return;
  }
}

/// @returns the child's number, or -1 with errno
pid_t start(const std::vector<std::string>& command, Pipe& in, Pipe& out, Pipe& err) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in.reading(), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out.writing(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, err.writing(), STDERR_FILENO);
  for (Pipe* pipe : {&in, &out, &err})
    for (const int end : {pipe->reading(), pipe->writing()})
      posix_spawn_file_actions_addclose(&actions, end);
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  pid_t child = -1;
  errno = posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  return errno == 0 ? child : -1;
}

}  // namespace

Ended spawn(const std::vector<std::string>& command, const std::string& input) {
  Pipe in, out, err;
  const auto before = std::signal(SIGPIPE, SIG_IGN);
  const pid_t child = start(command, in, out, err);
  Ended result;
  if (child < 0) {
    std::signal(SIGPIPE, before);
    return {.code = 127, .output = "", .errors = std::strerror(errno)};
  }
  in.close_end(0);
  out.close_end(1);
  err.close_end(1);
  std::thread errors([&] { result.errors = all_of(err.reading()); });
  give(in.writing(), input);
  in.close_end(1);
  std::signal(SIGPIPE, before);
  result.output = all_of(out.reading());
  errors.join();
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  result.code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  return result;
}

}  // namespace memstencil::compare
