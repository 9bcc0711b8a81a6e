// himeno: the Jacobi solver of the Himeno benchmark in the memory space that the user names.
#include "app/bench/application.hpp"
#include "app/himeno/problem.hpp"
#include "app/himeno/trial.hpp"

#include <array>
#include <memory>
#include <optional>
#include <string>

namespace memstencil::himeno {

namespace {

/// This rank's owned points of p, with its part of the fixed boundary.
FieldBlock pressure_block(const Subdomain& subdomain, const RunResult& run) {
  FieldBlock block{.name = "pressure"};
  std::array<std::int64_t, 3> first{};
  for (std::size_t d = 0; d < 3; ++d) {
    const bool at_start = subdomain.position[d] == 0;
    const bool at_end = subdomain.position[d] == subdomain.ranks[d] - 1;
    first[d] = at_start ? 0 : subdomain.grid.owned.lo[d];
    const std::int64_t last = at_end ? subdomain.grid.extents[d] : subdomain.grid.owned.hi[d];
    block.extents[d] = static_cast<std::size_t>(subdomain.global[d]);
    block.start[d] = static_cast<std::size_t>(subdomain.origin[d] + first[d]);
    block.count[d] = static_cast<std::size_t>(last - first[d]);
  }
  block.data =
      run.p.data() + subdomain.grid.row(first[0], first[1]) + static_cast<std::size_t>(first[2]);
  block.row_pitch = static_cast<std::size_t>(subdomain.grid.pitch);
  block.plane_rows = static_cast<std::size_t>(subdomain.grid.extents[1]);
  return block;
}

Trial trial_of(const Plan& plan, const Machine& machine, const Session& session,
               const GpuPaths& gpu) {
  ProgressLine line = session.progress_line();
  return try_sweeps(
      plan, machine, session.communicator,
      [&](const std::string& text) { line.show([&] { return text; }); }, gpu);
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
    std::optional<Trial> trial;
    if (first.own.sweep_auto()) trial = trial_of(first, machine, session, gpu);
    const Plan& plan = trial ? *fastest(*trial).plan : first;
    const auto repeats =
        run_repeats<Problem>(plan, session.communicator, session.progress_line(), gpu);
    std::optional<FieldBlock> block;
    if (plan.own.save_field) block = pressure_block(plan.subdomain, repeats.back());
    finish(session, make_result(plan, repeats, trial ? &*trial : nullptr),
           block ? &*block : nullptr);
  }
};

}  // namespace

}  // namespace memstencil::himeno

int main(int argc, char** argv) {
  return memstencil::application_main<memstencil::himeno::Himeno>(argc, argv);
}
