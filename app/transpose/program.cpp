// transpose: matrices turned in the memory space that the user names, by every way that is known.
// Its part of the skeleton of a benchmark.
#include "app/base/ranks/collectively.hpp"
#include "app/bench/benchmark.hpp"
#include "app/transpose/model_case.hpp"
#include "app/transpose/result.hpp"
#include "app/transpose/run.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

namespace memstencil::transpose {

namespace {

constexpr const char* description =
    "Matrix transpose by every way that is known, with the matrices in the "
    "memory space that you name.";

void refuse_combinations(const Options& o, const CommonOptions&) {
  if (o.sizes && o.asks_model())
    throw CollectiveFailure(
        ExitCode::Usage, "--memspace auto and --probes predict one matrix: not with --sweep-sizes");
  if (o.confidence && o.asks_model())
    throw CollectiveFailure(ExitCode::Usage,
                            "--memspace auto and --probes predict a number of iterations: not with "
                            "--confidence");
  if (o.confidence && o.iterations < fewest_confident)
    throw CollectiveFailure(
        ExitCode::Usage, fmt::format("--confidence takes at least {} iterations, and --iterations "
                                     "{} allows fewer",
                                     fewest_confident, o.iterations));
}

void run(const Plan& plan, const Session& session) {
  const auto gpu = connect("--exchange", plan.path, session.communicator);
  const auto repeats = run_repeats(plan, session.communicator, session.progress_line(), gpu.get());
  session.deliver(make_result(plan, repeats), [&](const Result&) { return case_of(plan); });
}

ExitCode run_transpose(int argc, const char* const* argv, const Communicator& communicator) {
  return run_benchmark<Options, Plan, model::TransposeCase>(
      {.name = "transpose",
       .description = description,
       .declare_options = declare_options,
       .refuse_combinations = refuse_combinations,
       .memory_name = [](const Options& options) { return std::string(name(options.memspace)); },
       .splits = [](const Options&) { return std::vector<Options>(); },
       .make_plan = make_plan,
       .require_memory = require_memory,
       .cases = [](const Plan& plan, const Communicator&) { return std::vector{case_of(plan)}; },
       .goal = [](const Options&) { return model::Goal::TotalTime; },
       .run = run},
      argc, argv, communicator);
}

}  // namespace

}  // namespace memstencil::transpose

int main(int argc, char** argv) {
  const memstencil::ParallelRuntime runtime(argc, argv);
  const memstencil::Communicator communicator;
  return memstencil::run_program("transpose", communicator, [&] {
    return memstencil::transpose::run_transpose(argc, argv, communicator);
  });
}
