// himeno as a whole: command line, set-up, runs, report.
#include "app/himeno/program.hpp"

#include "app/common/agree.hpp"
#include "app/common/kokkos_runtime.hpp"
#include "app/common/options.hpp"
#include "app/common/version_text.hpp"
#include "app/himeno/report.hpp"
#include "app/himeno/result.hpp"
#include "app/himeno/run.hpp"
#include "app/himeno/setup.hpp"
#include "memory_spaces/capabilities.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

namespace memstencil::himeno {

namespace {

constexpr const char* description =
    "Himeno benchmark: Jacobi sweeps over a Poisson problem in float, with the arrays in the memory space "
    "that you name.";

/// What this machine serves, as text or as JSON.
std::string memspace_list(Format format) {
  Record list = Record::array();
  std::string lines;
  for (const Executor executor : all_executors)
    for (const MemorySpace space : all_memory_spaces) {
      const Support s = support(space, executor);
      list.push_back({{"exec", name(executor)}, {"memspace", name(space)}, {"served", s.served}});
      if (s.served) {
        list.back()["effective"] = s.effective;
        list.back()["allocation"] = s.allocation;
      } else {
        list.back()["reason"] = s.reason;
      }
      lines +=
          fmt::format("--exec {:<6} --memspace {:<11} : {}\n", name(executor), name(space),
                      s.served ? fmt::format("yes, {} ({})", s.effective, s.allocation) : "no, " + s.reason);
    }
  return format == Format::Json ? to_json({{"memspaces", list}}) : lines;
}

std::vector<RunResult> run_all(const Setup& setup, const Communicator& communicator, const CommonOptions&) {
  std::vector<RunResult> repeats;
  for (int n = 0; n < setup.options.repeat; ++n)
    repeats.push_back(run_once(setup, communicator, [](std::int64_t, std::int64_t) {}));
  return repeats;
}

std::string formatted(const Record& record, Format format) {
  if (format == Format::Json) return to_json(record);
  if (format == Format::Csv) return to_csv(record);
  return text_report(record);
}

}  // namespace

ExitCode run_himeno(int argc, const char* const* argv, const Communicator& communicator) {
  Options options;
  CommandLine line("himeno", description, version_text("himeno"));
  declare_options(line, options);
  const auto text = agree(communicator, [&] { return line.parse(argc, argv); });
  const CommonOptions& common = line.common();
  if (text || options.list_memspaces) {
    if (communicator.root()) print_result(text ? *text : memspace_list(common.format));
    return ExitCode::Good;
  }
  const int gpu = agree(communicator, [&] { return choose_gpu(options, communicator); });
  if (gpu >= 0) select_gpu(gpu);
  const Setup setup = agree(communicator, [&] { return set_up(options, communicator); });
  const KokkosRuntime kokkos(gpu, common.quiet || !communicator.root());
  agree(communicator, [&] {
    prove_tool_chain(setup.placement.executor,
                     {setup.placement.space, scratch_space(setup.placement.executor)});
    check_memory(setup, communicator);
  });
  const std::vector<RunResult> repeats = run_all(setup, communicator, common);
  const Record record = make_record(setup, repeats, line.options(), {});
  if (communicator.root()) print_result(formatted(record, common.format));
  return ExitCode::Good;
}

}  // namespace memstencil::himeno
