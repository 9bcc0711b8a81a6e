// Prediction against measurement.
#pragma once

#include "app/base/record/archive.hpp"
#include "app/compare/model/prediction.hpp"
#include "memory_spaces/memory_space.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace memstencil::model {

/// The measured times that a prediction is compared with, in seconds.
struct Measured {
  Named<double> phases;
  std::vector<std::string> left_out;       ///< phases that are not predicted
  double first_step = 0, median_step = 0;  ///< a step is a sweep, or an iteration of transpose
  std::int64_t median_of = 0;              ///< so many first steps
};

/// In seconds. What is left out is so in the total, on both sides.
struct Validation {
  struct Pair {
    double predicted = 0, measured = 0;
    std::optional<double> error;  ///< predicted / measured - 1; none where nothing was measured
  };
  struct Phase {
    std::string phase;
    Pair seconds;
  };
  std::vector<Phase> phases;
  Pair total, first_step, median_step;
};

/// @throws Failure(Other) where a phase was not measured
Validation validate(const Prediction& prediction, const Measured& measured);

/// A memory space by the name that results have: in a build for the host all spaces are "host".
/// @throws Failure(Other) for another name
MemorySpace space_named(const std::string& text);

/// The number that follows `before` in what a result says of a sweep, as 3 in "temporal:3";
/// `otherwise` where `before` is not there.
/// @throws Failure(Other) where no number follows
std::int64_t number_after(std::string_view before, const std::string& text, std::int64_t otherwise);

}  // namespace memstencil::model
