// Restricts a program with many tests to those of some source files: a test of ctest is one such
// choice.
#pragma once

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace memstencil {

/// Call it after InitGoogleTest. argv names source files below tests/, such as
/// app/himeno/problem_test.cpp: only their tests run. A file without a test ends the program
/// with 1. Without names, and where --gtest_filter is given, all stays as it is.
inline void choose_files(int argc, char** argv) {
  if (argc < 2 || GTEST_FLAG_GET(filter) != "*") return;
  const ::testing::UnitTest& all = *::testing::UnitTest::GetInstance();
  std::string filter;
  for (int i = 1; i < argc; ++i) {
    const std::string file = std::string("/tests/") + argv[i];
    const std::size_t length_before = filter.size();
    for (int s = 0; s < all.total_test_suite_count(); ++s) {
      const ::testing::TestSuite& suite = *all.GetTestSuite(s);
      for (int t = 0; t < suite.total_test_count(); ++t) {
        const ::testing::TestInfo& test = *suite.GetTestInfo(t);
        if (std::string(test.file()).ends_with(file))
          filter += std::string(suite.name()) + "." + test.name() + ":";
      }
    }
    if (filter.size() == length_before) {
      std::printf("no test here is from tests/%s\n", argv[i]);
      std::exit(1);
    }
  }
  GTEST_FLAG_SET(filter, filter);
}

}  // namespace memstencil
