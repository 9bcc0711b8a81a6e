// himeno's runs for the tests that include no Kokkos.
#include "app/himeno/problem.hpp"
#include "tests/app/himeno/himeno_plan.hpp"

namespace memstencil::himeno {

RunResult run_once(const Plan& plan, const Communicator& communicator, const GpuPaths& gpu) {
  return with_execution_space(plan.executor(), [&]<class Exec>(const Exec& exec) {
    return memstencil::run_once(exec, Problem<Exec>(plan), plan.options.iterations, communicator,
                                gpu);
  });
}

std::vector<RunResult> run_repeats(const Plan& plan, const Communicator& communicator) {
  return memstencil::run_repeats<Problem>(plan, communicator, {});
}

}  // namespace memstencil::himeno
