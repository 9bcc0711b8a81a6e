// The applications whose results are compared and predicted: a row each.
#pragma once

#include "app/compare/model/grid.hpp"
#include "app/compare/sample.hpp"

#include <string>
#include <vector>

namespace memstencil::compare {

struct Application {
  const char* program;
  const char* step;                         ///< what its time loop repeats
  const char* size;                         ///< that is predicted where none is named
  std::int64_t steps;                       ///< and so many steps of it
  const model::Stencil* stencil = nullptr;  ///< of a grid code
};
const std::vector<Application>& applications();
/// Null where there is none of this name.
const Application* application(const std::string& program);
/// "himeno", "heat", ..., "membench": whose results can be read.
std::vector<std::string> programs();

/// Everything that a run of an application timed; none of membench and of --tune.
/// @throws Failure(Other) where a member that is needed is missing
std::vector<Sample> samples_of(const Run& run);

/// Host threads of a rank as a case names them: "all cores" (then machines of different sizes have
/// a case in common), "8 threads", "8 threads on 1 CPU". Empty where the result does not tell.
std::string threads_text(const Record& record);

}  // namespace memstencil::compare
