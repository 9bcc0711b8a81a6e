// transpose: transposes of matrices in the memory space that the user names, by every way that is
// known.
#include "app/bench/application.hpp"
#include "app/bench/repeats.hpp"
#include "app/transpose/result.hpp"

namespace memstencil::transpose {

namespace {

struct Transpose : Application<Options, make_plan> {
  static constexpr const char* name = "transpose";
  static constexpr const char* description =
      "Matrix transpose by every way that is known, with the matrices in the memory space that you "
      "name.";

  static void declare(CommandLine& line, Options& options) { declare_options(line, options); }

  static void check(const Options& options, const CommonOptions&) {
    check_iterations(options.iterations, options.repeat);
  }

  static void run(const Plan& plan, const Machine&, const Session& session) {
    const auto gpu = connect("--exchange", plan.transport, session.communicator);
    std::vector<Repeat> repeats;
    for (int n = 0; n < plan.options.repeat; ++n)
      repeats.push_back(run_once(plan, session.communicator, gpu));
    finish(session, make_result(plan, repeats));
  }
};

}  // namespace

}  // namespace memstencil::transpose

int main(int argc, char** argv) {
  return memstencil::application_main<memstencil::transpose::Transpose>(argc, argv);
}
