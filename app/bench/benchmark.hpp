// The skeleton of a benchmark: from the command line to a plan that runs.
// An application fills it in.
#pragma once

#include "app/base/program/deliver.hpp"
#include "app/base/program/start.hpp"
#include "app/base/program/version_text.hpp"
#include "app/base/runtime/kokkos_runtime.hpp"
#include "app/bench/candidates.hpp"
#include "app/bench/place.hpp"
#include "app/bench/placement_record.hpp"
#include "app/bench/session.hpp"
#include "app/compare/model/choice.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace memstencil {

/// The functions of an application. Options are PlacementOptions with more; a Plan has its options;
/// a Case is what the model predicts, by predict(Case, MachineRates) beside it.
template <class Options, class Plan, class Case>
struct Application {
  const char* name;
  const char* description;
  void (*declare_options)(CommandLine& line, Options& options);
  /// @throws CollectiveFailure(Usage) for options that contradict each other
  void (*refuse_combinations)(const Options& options, const CommonOptions& common);
  /// The memory that options ask for, as a choice names it: "managed".
  std::string (*memory_name)(const Options& options);
  /// Other options that --memspace auto tries where the arrays do not all fit device memory.
  std::vector<Options> (*splits)(const Options& options);
  /// All that the options leave open, decided. Collective, Kokkos has not started.
  /// @throws CollectiveFailure
  Plan (*make_plan)(const Options& options, const Machine& machine,
                    const Communicator& communicator);
  /// Collective. @throws CollectiveFailure(Machine) where there is less memory than the plan takes
  void (*require_memory)(const Plan& plan, const Communicator& communicator);
  /// The ways in which a plan could run, of which it takes the fastest. Collective.
  std::vector<Case> (*cases)(const Plan& plan, const Communicator& communicator);
  /// The predicted time, by which --memspace auto chooses.
  model::Goal (*goal)(const Options& options);
  /// Runs the plan as often as it says, and delivers the result. Collective.
  void (*run)(const Plan& plan, const Session& session);
};

/// The one plan that the options name, or with --memspace auto one for
/// each memory space. Collective.
/// @throws CollectiveFailure where none of them can run
template <class Options, class Plan, class Case>
std::vector<Candidate<Plan>> candidates_of(const Application<Options, Plan, Case>& application,
                                           const Options& options, const Machine& machine,
                                           const Communicator& communicator) {
  std::vector<Candidate<Plan>> out;
  const auto add = [&](const Options& one) {
    out.push_back(try_candidate(
        application.memory_name(one),
        [&] { return application.make_plan(one, machine, communicator); },
        [&](const Plan& plan) { application.require_memory(plan, communicator); }));
  };
  if (!options.memspace_auto) {
    add(options);
    require_one("", out);
    return out;
  }
  for (const MemorySpace space : model::spaces_by_preference) add(in_space(options, space));
  const bool device_lacks_memory = out.front().plan && !out.front().can_run();
  if (device_lacks_memory)
    for (const Options& one : application.splits(options)) add(one);
  require_one("--memspace auto: ", out);
  return out;
}

/// The best of them by the model. Collective, after Kokkos has started.
template <class Options, class Plan, class Case>
model::Choice choose(const Application<Options, Plan, Case>& application,
                     const std::vector<Candidate<Plan>>& candidates, const Options& options,
                     const std::optional<model::ProbedRates>& probed, const Session& session) {
  std::vector<std::vector<Case>> cases;  // collective; the predictions are rank 0's
  for (const Candidate<Plan>& each : candidates)
    cases.push_back(each.plan ? application.cases(*each.plan, session.communicator)
                              : std::vector<Case>());
  const auto predicted = [&](const model::MachineRates& rates) {
    std::vector<model::RankedCandidate> out;
    for (std::size_t n = 0; n < candidates.size(); ++n) {
      out.push_back(
          {.name = candidates[n].name, .refused = candidates[n].refused, .prediction = {}});
      for (const Case& one : cases[n]) {
        const model::Prediction its = predict(one, rates);
        auto& fastest = out.back().prediction;
        if (!fastest || its.total() < fastest->total()) fastest = its;
      }
    }
    return out;
  };
  return model::choose(predicted, application.goal(options), probed, application.name,
                       session.quiet(), session.communicator);
}

/// The whole program, but for what comes before any of them: see main() of one. Collective.
/// @throws Failure, mostly collective ones
template <class Options, class Plan, class Case>
ExitCode run_benchmark(const Application<Options, Plan, Case>& application, int argc,
                       const char* const* argv, const Communicator& communicator) {
  const ProgramStart start(argc, argv);
  Options options;
  CommandLine line(application.name, application.description, version_text(application.name));
  application.declare_options(line, options);
  if (!read_command_line(line, argc, argv, communicator)) return ExitCode::Good;
  application.refuse_combinations(options, line.common());
  const Machine machine = this_machine(options.gpu, communicator);
  if (options.list_memspaces) {
    if (communicator.root()) print_result(memspace_list(line.common().format));
    return ExitCode::Good;
  }
  // All refusals come before Kokkos starts: it may warn on stderr, where a refusal is one line.
  bool with_field = false;
  if constexpr (requires { options.save_field; }) with_field = options.save_field;
  check_output(communicator, line.common(), with_field, options.probes);
  const std::vector<Candidate<Plan>> candidates =
      candidates_of(application, options, machine, communicator);
  const auto probed = model::probed_rates(options.probes, communicator);
  const KokkosRuntime kokkos(machine.gpu);
  Session session{application.name, line, machine, communicator, start};
  if (options.asks_model())
    session.choice = choose(application, candidates, options, probed, session);
  const Plan& plan = *candidates[session.choice ? session.choice->chosen : 0].plan;
  warn_of_shared_cpus(application.name, KokkosRuntime::host_threads(), communicator);
  application.run(plan, session);
  return ExitCode::Good;
}

}  // namespace memstencil
