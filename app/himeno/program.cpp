// himeno: the Jacobi solver of the Himeno benchmark in the memory space that the user names.
#include "app/bench/application.hpp"
#include "app/himeno/problem.hpp"

#include <optional>
#include <utility>
#include <vector>

namespace memstencil::himeno {

namespace {

/// This rank's owned points of p, with its part of the fixed boundary.
FieldBlock pressure_block(const Subdomain& subdomain, const RunResult& run) {
  FieldBlock block{.name = "pressure"};
  const Box own = subdomain.answered();
  for (std::size_t d = 0; d < 3; ++d) {
    block.extents[d] = static_cast<std::size_t>(subdomain.global[d]);
    block.start[d] = static_cast<std::size_t>(subdomain.origin[d] + own.lo[d]);
    block.count[d] = static_cast<std::size_t>(own.hi[d] - own.lo[d]);
  }
  block.data =
      run.p.data() + subdomain.grid.row(own.lo[0], own.lo[1]) + static_cast<std::size_t>(own.lo[2]);
  block.row_pitch = static_cast<std::size_t>(subdomain.grid.pitch);
  block.plane_rows = static_cast<std::size_t>(subdomain.grid.extents[1]);
  return block;
}

struct Himeno : Application<Options, make_plan> {
  static constexpr const char* name = "himeno";
  static constexpr const char* description =
      "Himeno benchmark: Jacobi sweeps over a Poisson problem in float, with the arrays in the "
      "memory space that you name.";

  static void declare(CommandLine& line, Options& options) { declare_options(line, options); }
  static void check(const Options& options, const CommonOptions& common) {
    check_combinations(options, common);
  }
  static bool writes_field(const Options& options) { return options.save_field; }

  static void run(const Plan& first, const Machine& machine, const Session& session) {
    const auto gpu = connect("--halo", first.transport, session.communicator);
    std::vector<TrialRow> trial;
    if (first.own.sweep_auto()) trial = try_sweeps(first, machine, session.communicator, gpu);
    const Plan& plan = trial.empty() ? first : *fastest(trial).plan;
    const auto repeats = run_repeats<Problem>(plan, session.communicator, gpu);
    Result result = make_result(plan, repeats);
    if (!trial.empty()) result.trial.emplace(trial.begin(), trial.end());
    std::optional<FieldBlock> block;
    if (plan.own.save_field) block = pressure_block(plan.subdomain, repeats.back());
    finish(session, std::move(result), block ? &*block : nullptr);
  }
};

}  // namespace

}  // namespace memstencil::himeno

int main(int argc, char** argv) {
  return memstencil::application_main<memstencil::himeno::Himeno>(argc, argv);
}
