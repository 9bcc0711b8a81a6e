// himeno's runs.
#include "app/base/ranks/collectively.hpp"
#include "app/himeno/code.hpp"

namespace memstencil::himeno {

RunResult run_once(const Plan& plan, const Communicator& communicator, const Progress& progress,
                   const std::shared_ptr<GpuExchange>& gpu) {
  return with_execution_space(plan.executor(), [&]<class Exec>(const Exec& exec) {
    return OneRun<Exec, Code<Exec>>(exec, Code<Exec>(plan), communicator, gpu)(progress);
  });
}

std::vector<RunResult> run_repeats(const Plan& plan, const Communicator& communicator,
                                   ProgressLine line, const std::shared_ptr<GpuExchange>& gpu) {
  std::vector<float> p;
  auto repeats = memstencil::run_repeats(plan.options, line, [&](const Progress& progress) {
    p = {};
    RunResult run = run_once(plan, communicator, progress, gpu);
    p.swap(run.p);
    return run;
  });
  collectively(communicator, [&] {
    for (const RunResult& each : repeats) verify_same_gosa(repeats.front().sums, each.sums);
  });
  repeats.back().p.swap(p);
  return repeats;
}

}  // namespace memstencil::himeno
