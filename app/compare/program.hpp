// compare as a whole: command line, result files, report, plots.
#pragma once

#include "app/common/runtime/failure.hpp"

namespace memstencil::compare {

/// @throws Failure as the exit codes of docs/compare.md say
ExitCode run_compare(int argc, const char* const* argv);

}  // namespace memstencil::compare
