// A benchmark at work: the program around a plan that is run.
#pragma once

#include "app/common/communicator.hpp"
#include "app/common/options.hpp"
#include "app/common/progress.hpp"
#include "app/common/record.hpp"
#include "app/common/results_file.hpp"
#include "app/model/choice.hpp"
#include "app/placement/place.hpp"

#include <optional>
#include <string>

namespace memstencil {

struct Session {
  const char* program;
  const CommandLine& line;
  const Machine& machine;
  const Communicator& communicator;
  std::optional<model::Choice> choice = {};  ///< where the model was asked

  /// Does this rank say nothing but the result?
  bool quiet() const { return line.common().quiet || !communicator.root(); }
  /// On the terminal of rank 0.
  ProgressLine progress_line() const;
  /// A line on rank 0's stderr, after the program's name, unless it is quiet.
  void say(const std::string& text) const;

  /// What the model said beside what was measured; nothing where it was not asked, and on other ranks than 0.
  /// @param ran gives the case that has run
  template <class Result, class Ran>
  std::optional<model::Advice> prediction(const Result& result, const Ran& ran) const {
    if (!choice || !communicator.root()) return {};
    return model::advice_and_outcome(*choice, predict(ran(result), choice->rates), measured(result));
  }
  /// Prints the result, and writes it into --output, with the field where there is one. Collective.
  void deliver(const Record& record, const std::string& text, const FieldBlock* field = nullptr) const;
};

}  // namespace memstencil
