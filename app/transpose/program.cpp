// transpose as a whole: its part of the skeleton of a benchmark.
#include "app/transpose/program.hpp"

#include "app/benchmark/benchmark.hpp"
#include "app/common/agree.hpp"
#include "app/transpose/model_case.hpp"
#include "app/transpose/report.hpp"
#include "app/transpose/result.hpp"
#include "app/transpose/run.hpp"

#include <string>
#include <vector>

namespace memstencil::transpose {

namespace {

constexpr const char* description =
    "Matrix transpose by every way that is known, with the matrices in the memory space that you name.";

void refuse_combinations(const Options& o, const CommonOptions&) {
  if (o.sizes && o.asks_model())
    throw CollectiveFailure(ExitCode::Usage,
                            "--memspace auto and --probes predict one matrix: not with --sweep-sizes");
}

void run(const Plan& plan, const Session& session) {
  const auto repeats = run_repeats(plan, session.communicator, session.progress_line());
  Record record = make_record(plan, repeats, session.line.options(), to_record(facts(session.communicator)));
  const auto of_plan = [&](const Result&) { return case_of(plan); };
  if (const auto prediction = session.prediction(from_record<Result>(record, "the result"), of_plan))
    record["prediction"] = to_record(*prediction);
  session.deliver(record, text_report(record));
}

}  // namespace

ExitCode run_transpose(int argc, const char* const* argv, const Communicator& communicator) {
  return run_benchmark<Options, Plan, model::TransposeCase>(
      {.name = "transpose",
       .description = description,
       .declare_options = declare_options,
       .refuse_combinations = refuse_combinations,
       .expected_bytes = expected_bytes,
       .memory_name = [](const Options& options) { return std::string(name(options.memspace)); },
       .splits = [](const Options&) { return std::vector<Options>(); },
       .make_plan = make_plan,
       .require_memory = require_memory,
       .cases = [](const Plan& plan, const Communicator&) { return std::vector{case_of(plan)}; },
       .goal = [](const Options&) { return model::Goal::TotalTime; },
       .run = run},
      argc, argv, communicator);
}

}  // namespace memstencil::transpose
