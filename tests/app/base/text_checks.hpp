// Checks of parts of a text, which show the whole text where they fail.
#pragma once

#include <gtest/gtest.h>

#include <string>

namespace memstencil {

inline ::testing::AssertionResult check_text(bool good, const std::string& text,
                                             const std::string& part) {
  if (good) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "'" << part << "' is not there in: " << text;
}

inline ::testing::AssertionResult contains(const std::string& text, const std::string& part) {
  return check_text(text.find(part) != std::string::npos, text, part);
}

inline ::testing::AssertionResult starts_with(const std::string& text, const std::string& part) {
  return check_text(text.starts_with(part), text, part);
}

inline ::testing::AssertionResult ends_with(const std::string& text, const std::string& part) {
  return check_text(text.ends_with(part), text, part);
}

}  // namespace memstencil
