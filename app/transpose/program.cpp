// transpose as a whole: command line, set-up, runs, report.
#include "app/transpose/program.hpp"

#include "app/common/agree.hpp"
#include "app/common/deliver.hpp"
#include "app/common/kokkos_runtime.hpp"
#include "app/common/progress.hpp"
#include "app/common/version_text.hpp"
#include "app/placement/memory_check.hpp"
#include "app/placement/place.hpp"
#include "app/transpose/report.hpp"
#include "app/transpose/result.hpp"
#include "app/transpose/run.hpp"
#include "app/transpose/setup.hpp"
#include "memory_spaces/capabilities.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <vector>

namespace memstencil::transpose {

namespace {

constexpr const char* description =
    "Matrix transpose by every way that is known, with the matrices in the memory space that you name.";

std::vector<RunResult> run_all(const Setup& setup, const Communicator& communicator, bool quiet) {
  ProgressLine line(communicator.root() && !quiet, STDERR_FILENO);
  std::vector<RunResult> repeats;
  for (int n = 0; n < setup.options.repeat; ++n) {
    const std::string run =
        setup.options.repeat > 1 ? fmt::format("run {} of {}, ", n + 1, setup.options.repeat) : "";
    repeats.push_back(run_once(setup, communicator, [&](const std::string& what, std::int64_t done) {
      line.show(fmt::format("{}{}: iteration {} of {}", run, what, done, setup.options.iterations));
    }));
  }
  return repeats;
}

}  // namespace

ExitCode run_transpose(int argc, const char* const* argv, const Communicator& communicator) {
  Options options;
  CommandLine line("transpose", description, version_text("transpose"));
  declare_options(line, options);
  const auto text = agree(communicator, [&] { return line.parse(argc, argv); });
  const CommonOptions& common = line.common();
  if (text) {
    if (communicator.root()) print_result(*text);
    return ExitCode::Good;
  }
  const int gpu = agree(communicator, [&] { return choose_gpu(options, communicator); });
  if (gpu >= 0) select_gpu(gpu);
  const int sharing = ranks_of_gpu(communicator, gpu_facts().uuid);
  Setup setup = agree(communicator, [&] { return set_up(options, communicator, sharing); });
  choose_variants(setup, communicator);
  if (!common.output.empty()) check_output(communicator, common.output, existing(common));
  // All refusals come before Kokkos starts: it may warn on stderr, where a refusal is one line.
  agree(communicator, [&] {
    check_memory("the matrix " + size_name(setup.shapes.back()),
                 options.sizes ? "smaller --sweep-sizes" : "fewer --rows and --cols",
                 demands(setup, communicator), setup.placement, communicator);
  });
  const KokkosRuntime kokkos(gpu);
  prove_placement(setup.placement, communicator);
  const auto repeats = run_all(setup, communicator, common.quiet);
  const Record record = make_record(setup, repeats, communicator.size(), line.options(), facts(communicator));
  deliver(communicator, common, record, text_report(record));
  return ExitCode::Good;
}

}  // namespace memstencil::transpose
