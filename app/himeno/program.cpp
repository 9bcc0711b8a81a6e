// himeno as a whole: command line, plan, runs, report.
#include "app/himeno/program.hpp"

#include "app/common/agree.hpp"
#include "app/common/deliver.hpp"
#include "app/common/kokkos_runtime.hpp"
#include "app/common/options.hpp"
#include "app/common/progress.hpp"
#include "app/common/start.hpp"
#include "app/common/version_text.hpp"
#include "app/himeno/candidates.hpp"
#include "app/himeno/halo.hpp"
#include "app/himeno/model_case.hpp"
#include "app/himeno/report.hpp"
#include "app/himeno/result.hpp"
#include "app/himeno/run.hpp"
#include "app/himeno/trial.hpp"
#include "app/placement/placement_record.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace memstencil::himeno {

namespace {

constexpr const char* description =
    "Himeno benchmark: Jacobi sweeps over a Poisson problem in float, with the arrays in the memory space "
    "that you name.";

/// This rank's owned points of p, with the fixed boundary where the rank has it.
FieldBlock pressure_block(const Subdomain& part, const RunResult& result) {
  FieldBlock block{.name = "pressure"};
  std::array<std::int64_t, 3> first{};
  for (std::size_t d = 0; d < 3; ++d) {
    const bool at_start = part.position[d] == 0;
    const bool at_end = part.position[d] == part.ranks[d] - 1;
    first[d] = at_start ? 0 : part.grid.owned.lo[d];
    const std::int64_t last = at_end ? part.grid.extents[d] : part.grid.owned.hi[d];
    block.extents[d] = static_cast<std::size_t>(part.global[d]);
    block.start[d] = static_cast<std::size_t>(part.origin[d] + first[d]);
    block.count[d] = static_cast<std::size_t>(last - first[d]);
  }
  block.data = result.p.data() + part.grid.row(first[0], first[1]) + static_cast<std::size_t>(first[2]);
  block.row_pitch = static_cast<std::size_t>(part.grid.pitch);
  block.plane_rows = static_cast<std::size_t>(part.grid.extents[1]);
  return block;
}

/// A chosen plan at work on the started machine.
struct Session {
  const CommandLine& line;
  const Machine& machine;
  const Communicator& communicator;
  std::shared_ptr<GpuExchange> gpu;

  ProgressLine progress_line() const {
    return ProgressLine(communicator.root() && !line.common().quiet, STDERR_FILENO);
  }
};

Trial trial_of(const Plan& plan, const Session& session) {
  ProgressLine line = session.progress_line();
  return try_sweeps(
      plan, session.machine, session.communicator,
      [&](const std::string& text) { line.show([&] { return text; }); }, session.gpu);
}

void tune(const Plan& plan, const Session& session) {
  const Trial trial = trial_of(plan, session);
  const Record record =
      make_tune_record(plan, trial, session.line.options(), to_record(facts(session.communicator)));
  deliver(session.communicator, session.line.common(), {record, record, tune_report(record)});
  if (any_failed(trial))
    throw CollectiveFailure(ExitCode::Verification,
                            "--tune: a kind of sweep computes wrongly on this machine");
}

std::vector<RunResult> run_all(const Plan& plan, const Session& session) {
  ProgressLine line = session.progress_line();
  const auto progress_of = [&](int run) {
    return [&line, which = run_of(run, plan.options.repeat)](std::int64_t done, std::int64_t all) {
      line.show([&] { return fmt::format("{}sweep {} of {}", which, done, all); });
    };
  };
  return run_repeats(plan, session.communicator, progress_of, session.gpu);
}

void benchmark(const Plan& first, const std::optional<model::Choice>& choice, const Session& session) {
  const Communicator& communicator = session.communicator;
  std::optional<Trial> trial;
  if (first.options.sweep.automatic) trial = trial_of(first, session);
  const Plan& plan = trial ? *fastest(*trial).plan : first;
  const auto repeats = run_all(plan, session);
  Record record = make_record(plan, repeats, trial, session.line.options(), to_record(facts(communicator)));
  if (choice && communicator.root()) {
    const auto result = from_record<Result>(record, "the result");
    record["prediction"] = to_record(model::advice_and_outcome(
        *choice, model::predict(model_case(result), choice->rates), measured(result)));
  }
  std::optional<FieldBlock> block;
  if (plan.options.save_field) block = pressure_block(plan.part, repeats.back());
  deliver(communicator, session.line.common(), {record, record, text_report(record)},
          block ? &*block : nullptr);
}

void refuse_combinations(const Options& o, const CommonOptions& common) {
  const auto refuse_usage = [](const char* line) { throw CollectiveFailure(ExitCode::Usage, line); };
  if (o.list_memspaces && !common.output.empty())
    refuse_usage("--list-memspaces prints a list and makes no result: --output goes with a run");
  if (o.memspace_auto && o.tune) refuse_usage("--tune needs a --memspace by name, not auto");
  if (o.memspace_auto && o.place.given())
    refuse_usage("--place names the memory spaces that --memspace auto would choose: give one of the two");
  if (!o.save_field) return;
  if (o.tune) refuse_usage("--save-field goes with a run, not with --tune");
  if (common.output.empty()) refuse_usage("--save-field needs --output FILE.h5 to write p into");
  if (o.seconds && o.repeat > 1)
    refuse_usage(
        "--save-field with --repeat needs --iterations: with --seconds each run makes its own "
        "number of sweeps, and p is written once");
}

}  // namespace

ExitCode run_himeno(int argc, const char* const* argv, const Communicator& communicator) {
  Options options;
  CommandLine line("himeno", description, version_text("himeno"));
  declare_options(line, options);
  if (!read_command_line(line, argc, argv, communicator)) return ExitCode::Good;
  const CommonOptions& common = line.common();
  refuse_combinations(options, common);
  const Machine machine = this_machine(options.gpu, communicator);
  if (options.list_memspaces) {
    if (communicator.root()) print_result(memspace_list(common.format));
    return ExitCode::Good;
  }
  // All refusals come before Kokkos starts: it may warn on stderr, where a refusal is one line.
  check_output(communicator, common, expected_bytes(options), options.probes);
  const std::vector<Candidate> candidates = candidates_of(options, machine, communicator);
  const auto probed = model::probed_rates(options.probes, communicator);
  const bool quiet = common.quiet || !communicator.root();
  const KokkosRuntime kokkos(machine.gpu);
  std::optional<model::Choice> choice;
  if ((options.memspace_auto || !options.probes.empty()) && !options.tune)
    choice = choose(candidates, probed, communicator, quiet);
  const Plan& plan = *candidates[choice ? choice->chosen : 0].plan;
  prove_placement(plan.placement, communicator);
  prove_placement(plan.placement_of_p, communicator);
  const Session session{line, machine, communicator, connect(plan.halo, communicator)};
  if (!quiet && !plan.note.empty()) fmt::print(stderr, "himeno: {}\n", plan.note);
  warn_of_shared_cpus("himeno", KokkosRuntime::host_threads(), communicator);
  if (options.tune)
    tune(plan, session);
  else
    benchmark(plan, choice, session);
  return ExitCode::Good;
}

}  // namespace memstencil::himeno
