// What ctest asks of a program with many tests: those of some source files, on so many ranks.
#pragma once

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>

namespace memstencil {

/// Call it after InitGoogleTest. argv names source files below tests/, such as
/// app/himeno/problem_test.cpp: only their tests run. A file without a test ends the program
/// with 1. Without names, and where --gtest_filter is given, all stays as it is.
inline void choose_files(int argc, char** argv) {
  if (argc < 2 || GTEST_FLAG_GET(filter) != "*") return;
  const std::set<std::string> chosen(argv + 1, argv + argc);
  std::set<std::string> without_test = chosen;
  std::string filter;
  const ::testing::UnitTest& all = *::testing::UnitTest::GetInstance();
  for (int s = 0; s < all.total_test_suite_count(); ++s) {
    const ::testing::TestSuite& suite = *all.GetTestSuite(s);
    std::string tests;
    int count = 0;
    for (int t = 0; t < suite.total_test_count(); ++t) {
      const ::testing::TestInfo& test = *suite.GetTestInfo(t);
      const std::string path = test.file();
      const std::string file = path.substr(path.rfind("/tests/") + 7);
      if (!chosen.contains(file)) continue;
      without_test.erase(file);
      tests += std::string(suite.name()) + "." + test.name() + ":";
      ++count;
    }
    // GoogleTest prints the filter: a whole suite is shorter.
    filter += count < suite.total_test_count() ? tests : std::string(suite.name()) + ".*:";
  }
  for (const std::string& file : without_test) std::printf("tests/%s has no test\n", file.c_str());
  if (!without_test.empty()) std::exit(1);
  GTEST_FLAG_SET(filter, filter);
}

/// Are there as many ranks as TEST_RANKS says, where ctest has set it? Where another MPI's mpirun
/// starts them, each is alone, and tests of several ranks would pass without a message.
inline bool asked_ranks(int ranks) {
  const char* asked = std::getenv("TEST_RANKS");
  if (asked == nullptr || std::to_string(ranks) == asked) return true;
  std::printf("there are %d ranks, and %s were started: by the mpirun of another MPI?\n", ranks,
              asked);
  return false;
}

}  // namespace memstencil
