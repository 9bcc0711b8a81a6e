// Processes that do the same at once, for the tests of files that several programs write.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <vector>

namespace memstencil {

/// Forks so many processes, each of which calls work(n) with its number from 0 and ends. An
/// exception there, which the process prints, fails the test.
template <class Work>
void at_once(int processes, Work&& work) {
  std::vector<pid_t> children;
  for (int n = 0; n < processes; ++n) {
    children.push_back(fork());
    if (children.back() != 0) continue;
    int code = 0;
    try {
      work(n);
    } catch (const std::exception& error) {
      std::fprintf(stderr, "%s\n", error.what());
      code = 1;
    }
    _exit(code);
  }
  for (const pid_t child : children) {
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
}

}  // namespace memstencil
