// The applications whose results are compared: a row each.
#pragma once

#include "app/compare/sample.hpp"

#include <vector>

namespace memstencil::compare {

struct Application {
  const char* program;
  const char* step;  ///< what its time loop repeats
  /// Everything that one of its runs timed.
  std::vector<Sample> (*samples)(const Run& run, const Application& of);
  double bytes_a_point = 0;  ///< of the arrays of a grid code
  double flops_a_point = 0;
  const char* speed = "";  ///< the member with the speed of the steps, in 10^6 operations a second
};
const std::vector<Application>& applications();

/// Of any run; none for membench, and for what timed no run (--tune).
/// @throws Failure(Other) where a member that is needed is missing
std::vector<Sample> samples_of(const Run& run);

/// Host threads of a rank as a case names them: "all cores" (then machines of different sizes have
/// a case in common), "8 threads", "8 threads on 1 CPU". Empty where the result does not tell.
std::string threads_text(const Record& record);

std::vector<Sample> grid_samples(const Run& run, const Application& of);
std::vector<Sample> transpose_samples(const Run& run, const Application& of);

/// What both have: executor, memory, hints, ranks, phases.
Sample common_sample(const Run& run, const Application& of);

}  // namespace memstencil::compare
