// A benchmark at work: the program around a plan that is run.
#pragma once

#include "app/base/cli/options.hpp"
#include "app/base/cli/progress.hpp"
#include "app/base/machine/provenance.hpp"
#include "app/base/program/deliver.hpp"
#include "app/base/ranks/communicator.hpp"
#include "app/base/record/archive.hpp"
#include "app/base/record/results_file.hpp"
#include "app/base/runtime/kokkos_runtime.hpp"
#include "app/bench/place.hpp"
#include "app/compare/model/choice.hpp"

#include <optional>
#include <string>

namespace memstencil {

struct Session {
  const char* program;
  const CommandLine& line;
  const Machine& machine;
  const Communicator& communicator;
  const ProgramStart& start;
  std::optional<model::Choice> choice = {};  ///< where the model was asked

  /// Does this rank say nothing but the result?
  bool quiet() const { return line.common().quiet || !communicator.root(); }
  /// On the terminal of rank 0.
  ProgressLine progress_line() const;
  /// A line on rank 0's stderr, after the program's name, unless it is quiet.
  void say(const std::string& text) const;

  /// Adds the options, the machine, the provenance and, where the model was asked, the
  /// prediction to the result, prints it, and writes it into --output, with the field
  /// where there is one. Collective.
  /// @param ran gives the case of a result
  template <class Result, class Ran>
  void deliver(Result result, const Ran& ran, const FieldBlock* field = nullptr) const {
    if (choice && communicator.root())
      result.prediction =
          model::advice_and_outcome(*choice, predict(ran(result), choice->rates), measured(result));
    complete(result, field);
  }
  /// The same of a result that the model does not predict.
  template <class Result>
  void deliver(Result result) const {
    complete(result, nullptr);
  }

private:
  template <class Result>
  void complete(Result& result, const FieldBlock* field) const {
    result.origin = origin_of(line.common());
    result.options = line.options();
    result.machine = facts(communicator);
    Named<double> own_seconds;
    if constexpr (requires { result.own_seconds; }) own_seconds = result.own_seconds;
    result.provenance =
        provenance_of(start, KokkosRuntime::host_threads(), own_seconds, communicator);
    if constexpr (requires { result.scaling->advice; })
      if (result.scaling && result.scaling->advice)
        add_shared_cpus(*result.scaling->advice, *result.provenance);
    memstencil::deliver(
        communicator, line.common(), {to_record(result), csv_rows(result), text_report(result)},
        name_in_folder({program, result.size, result.memspace.requested}, result.provenance),
        field);
  }
  /// The cause that is known only when all ranks have told of their CPUs.
  static void add_shared_cpus(std::string& advice, const Provenance& provenance) {
    if (const std::string cause = shared_cpus(provenance.ranks); !cause.empty())
      advice += "; " + cause;
  }
};

}  // namespace memstencil
