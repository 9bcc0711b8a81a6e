// transpose as a whole: command line, plan, runs, report.
#include "app/transpose/program.hpp"

#include "app/common/agree.hpp"
#include "app/common/deliver.hpp"
#include "app/common/kokkos_runtime.hpp"
#include "app/common/progress.hpp"
#include "app/common/start.hpp"
#include "app/common/version_text.hpp"
#include "app/transpose/candidates.hpp"
#include "app/transpose/model_case.hpp"
#include "app/transpose/report.hpp"
#include "app/transpose/result.hpp"
#include "app/transpose/run.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <optional>
#include <vector>

namespace memstencil::transpose {

namespace {

constexpr const char* description =
    "Matrix transpose by every way that is known, with the matrices in the memory space that you name.";

std::vector<RunResult> run_all(const Plan& plan, const Communicator& communicator, bool quiet) {
  ProgressLine line(communicator.root() && !quiet, STDERR_FILENO);
  std::vector<RunResult> repeats;
  for (int run = 1; run <= plan.options.repeat; ++run)
    repeats.push_back(run_once(plan, communicator, [&](const std::string& what, std::int64_t done) {
      line.show([&] {
        return fmt::format("{}{}: iteration {} of {}", run_of(run, plan.options.repeat), what, done,
                           plan.options.iterations);
      });
    }));
  return repeats;
}

void refuse_combinations(const Options& o) {
  if (o.sizes && (o.memspace_auto || !o.probes.empty()))
    throw CollectiveFailure(ExitCode::Usage,
                            "--memspace auto and --probes predict one matrix: not with --sweep-sizes");
}

}  // namespace

ExitCode run_transpose(int argc, const char* const* argv, const Communicator& communicator) {
  Options options;
  CommandLine line("transpose", description, version_text("transpose"));
  declare_options(line, options);
  if (!read_command_line(line, argc, argv, communicator)) return ExitCode::Good;
  const CommonOptions& common = line.common();
  refuse_combinations(options);
  const Machine machine = this_machine(options.gpu, communicator);
  // All refusals come before Kokkos starts: it may warn on stderr, where a refusal is one line.
  check_output(communicator, common, expected_bytes(options), options.probes);
  const std::vector<Candidate> spaces = candidates_of(options, machine, communicator);
  const auto probed = model::probed_rates(options.probes, communicator);
  const KokkosRuntime kokkos(machine.gpu);
  std::optional<model::Choice> choice;
  if (options.memspace_auto || !options.probes.empty())
    choice = choose(spaces, probed, communicator, common.quiet || !communicator.root());
  const Plan& plan = *spaces[choice ? choice->chosen : 0].plan;
  prove_placement(plan.placement, communicator);
  warn_of_shared_cpus("transpose", KokkosRuntime::host_threads(), communicator);
  const auto repeats = run_all(plan, communicator, common.quiet);
  Record record = make_record(plan, repeats, line.options(), to_record(facts(communicator)));
  if (choice && communicator.root())
    record["prediction"] =
        to_record(model::advice_and_outcome(*choice, model::predict(case_of(plan), choice->rates),
                                            measured(from_record<Result>(record, "the result"))));
  deliver(communicator, common, {record, record, text_report(record)});
  return ExitCode::Good;
}

}  // namespace memstencil::transpose
