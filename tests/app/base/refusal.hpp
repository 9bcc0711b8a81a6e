// The line that something is refused with.
#pragma once

#include "app/base/runtime/failure.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <string>

namespace memstencil {

/// Of what the action throws; that it does, the exit code, and that it is one line are checked.
inline std::string refusal(ExitCode code, const std::function<void()>& action) {
  try {
    action();
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.code(), code);
    EXPECT_EQ(std::string(failure.what()).find('\n'), std::string::npos) << failure.what();
    return failure.what();
  }
  ADD_FAILURE() << "nothing was refused";
  return "";
}

}  // namespace memstencil
