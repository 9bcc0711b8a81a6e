// A test for each memory space and its allocations; those that the executor of the kernels is not
// served are skipped with the reason.
#pragma once

#include "memory_spaces/capabilities.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace memstencil {

/// Who runs kernels of the default execution space.
inline Executor kernel_executor() { return built_for_gpu() ? Executor::Device : Executor::Host; }

class EachSpace : public testing::TestWithParam<MemoryKind> {
protected:
  void SetUp() override {
    const Support there = support(GetParam(), kernel_executor());
    if (!there.served) GTEST_SKIP() << there.reason;
  }
};

inline std::string space_test_name(const testing::TestParamInfo<MemoryKind>& test) {
  std::string text(name(test.param.space));
  if (test.param.allocation != Allocation::Default)
    text += "_" + std::string(name(test.param.allocation));
  std::replace(text.begin(), text.end(), '-', '_');
  return text;
}

}  // namespace memstencil
