// heat: 7-point diffusion in the memory space that the user names.
#include "app/bench/application.hpp"
#include "app/heat/problem.hpp"

namespace memstencil::heat {

namespace {

struct Heat : Application<GridOptions, make_plan> {
  static constexpr const char* name = "heat";
  static constexpr const char* description =
      "7-point diffusion in double on a grid whose boundary is 0, with the arrays in the memory "
      "space that you name.";

  static void declare(CommandLine& line, GridOptions& options) {
    declare_problem(line, options, bytes_per_point);
    declare_memory(line, options);
    declare_ranks(line, options);
    line.example("mpirun -n 4 heat --size 768x768x768 --iterations 500 --output result.h5",
                 "a cube of 7.2 GB on four ranks, for memcompare");
  }
  static void check(const GridOptions& options, const CommonOptions&) {
    check_combinations(options);
  }

  static void run(const Plan& plan, const Machine&, const Session& session) {
    const auto gpu = connect("--halo", plan.transport, session.communicator);
    const auto repeats = run_repeats(plan, session.communicator, gpu);
    finish(session, result_of<Result>(plan, repeats));
  }
};

}  // namespace

}  // namespace memstencil::heat

int main(int argc, char** argv) {
  return memstencil::application_main<memstencil::heat::Heat>(argc, argv);
}
