// Errors of the model: each measured run, predicted from membench's rates of its machine.
#include "app/compare/model_errors.hpp"

#include "app/base/runtime/failure.hpp"
#include "app/compare/entry.hpp"
#include "app/compare/himeno_case.hpp"
#include "app/compare/model/ranks_model.hpp"
#include "app/compare/predicted_rates.hpp"
#include "app/compare/predictions.hpp"
#include "app/compare/transpose_case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

namespace memstencil::compare {

namespace {

using model::MachineRates;
using model::Prediction;

/// The case; without the messages of a path whose rates were not measured, whose phase is then left
/// out on both sides.
model::HimenoCase predictable(const himeno::Result& run, const MachineRates& rates,
                              model::Measured& times) {
  model::HimenoCase out = model_case(run);
  if (out.ranks && !measured_messages(*out.ranks, rates)) {
    out.ranks.reset();
    times.left_out = {"halo"};
  }
  return out;
}
model::TransposeCase predictable(const transpose::Result& run, const MachineRates&,
                                 model::Measured&) {
  return model_case(run);
}

std::string label_of(const himeno::Result& run) { return entries_of(run).front().label; }
std::string label_of(const transpose::Result& run) {
  const auto variants = model_case(run).variants;
  const std::string timed =
      variants.size() == 1 ? variants[0].name : fmt::format("{} variants", variants.size());
  return fmt::format("{} x {}", timed, run.iterations) + problem_label(run);
}

template <class Result>
std::vector<Record> row_of(const Side& side, const Result& run, const MachineRates& rates) {
  model::Measured times = measured(run);
  const Prediction prediction = predict(predictable(run, rates, times), rates);
  const model::Validation v = validate(prediction, times);
  for (const double each : {v.total.predicted, v.first_step.predicted, v.median_step.predicted})
    if (!std::isfinite(each))
      throw Failure(ExitCode::Other, "with its figures the model predicts no number");
  std::vector<Record> row{side.label,
                          label_of(run),
                          v.total.predicted,
                          v.total.measured,
                          memstencil::to_record(v.total.error),
                          milli * v.first_step.predicted,
                          milli * v.first_step.measured,
                          milli * v.median_step.predicted,
                          milli * v.median_step.measured};
  add_causes(prediction, row);
  return row;
}

/// The model's errors for the runs of a machine.
struct Errors {
  std::string machine;
  int runs = 0, good = 0;
  double worst = 0;
  std::string of = {};  ///< the case of the worst
};

constexpr double wanted_error = 0.15;

/// Of each machine, in the order of the rows.
void add_errors(const Table& table, std::vector<Errors>& machines) {
  const std::string program = table.title.substr(0, table.title.find(':'));
  for (const auto& row : table.rows) {
    if (!row[4].is_number()) continue;  // nothing took any time
    const auto machine = row[0].get<std::string>();
    const auto error = row[4].get<double>();
    auto known = std::find_if(machines.begin(), machines.end(),
                              [&](const Errors& each) { return each.machine == machine; });
    if (known == machines.end()) known = machines.insert(known, {.machine = machine});
    ++known->runs;
    known->good += std::abs(error) < wanted_error ? 1 : 0;
    if (std::abs(error) < std::abs(known->worst)) continue;
    known->worst = error;
    known->of = program + " " + row[1].get<std::string>();
  }
}

std::vector<std::string> sentences_of(const std::vector<Errors>& machines) {
  std::vector<std::string> all;
  for (const Errors& e : machines)
    all.push_back(fmt::format("{}: {} of {} runs; the worst is {:+.1f} %, {}.", e.machine, e.good,
                              e.runs, 100 * e.worst, e.of));
  return all;
}

/// `step`: a sweep, a transpose.
template <class Result>
Table errors_of(const std::string& program, const std::string& step,
                const std::vector<Side>& sides) {
  Table table{.title = program + ": predicted from membench's rates, and measured",
              .columns = {{"machine"},
                          {"case"},
                          {"predicted", Show::Number, "s"},
                          {"measured", Show::Number, "s"},
                          {"error", Show::Percent},
                          {"first " + step + " predicted", Show::Number, "ms"},
                          {"first " + step + " measured", Show::Number, "ms"},
                          {"median " + step + " predicted", Show::Number, "ms"},
                          {"median " + step + " measured", Show::Number, "ms"}},
              .note = "Seconds over all phases. The causes are of the prediction."};
  add_cause_columns(table);
  for (const Side& side : sides) {
    const std::optional<MachineRates> rates = measured_rates(side);
    if (!rates) continue;
    for (const Run* run : side.runs) {
      const auto* result = run->as<Result>();
      if (result == nullptr) continue;
      naming(*run, [&] {
        if (can_be_predicted(*result, *rates)) table.rows.push_back(row_of(side, *result, *rates));
      });
    }
  }
  table.note += " Predicted within 15 % of their wall time:";
  for (const std::string& sentence : errors_in_words({table})) table.note += " " + sentence;
  return table;
}

}  // namespace

std::vector<Table> predicted_and_measured(const std::vector<Side>& sides) {
  return {errors_of<himeno::Result>("Himeno", "sweep", sides),
          errors_of<transpose::Result>("Transpose", "transpose", sides)};
}

std::vector<std::string> errors_in_words(const std::vector<Table>& predicted) {
  std::vector<Errors> machines;
  for (const Table& table : predicted) add_errors(table, machines);
  return sentences_of(machines);
}

}  // namespace memstencil::compare
