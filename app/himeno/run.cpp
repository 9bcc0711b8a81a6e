// himeno's runs.
#include "app/base/ranks/collectively.hpp"
#include "app/himeno/problem.hpp"

namespace memstencil::himeno {

RunResult run_once(const Plan& plan, const Communicator& communicator, const Progress& progress,
                   const std::shared_ptr<GpuExchange>& gpu) {
  return with_execution_space(plan.executor(), [&]<class Exec>(const Exec& exec) {
    return memstencil::run_once(exec, Problem<Exec>(plan), communicator, gpu, progress);
  });
}

std::vector<RunResult> run_repeats(const Plan& plan, const Communicator& communicator,
                                   ProgressLine line, const std::shared_ptr<GpuExchange>& gpu) {
  std::vector<RunResult> repeats;
  for (int n = 1; n <= plan.options.repeat; ++n) {
    if (!repeats.empty()) repeats.back().p = {};
    repeats.push_back(run_once(plan, communicator, progress_of(line, n, plan.options.repeat), gpu));
  }
  collectively(communicator, [&] {
    for (const RunResult& each : repeats) verify_same_gosa(repeats.front().sums, each.sums);
  });
  return repeats;
}

}  // namespace memstencil::himeno
