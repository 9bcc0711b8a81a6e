// Errors of the model: each measured run, predicted from membench's rates of its machine.
#include "app/compare/model_errors.hpp"

#include "app/common/runtime/failure.hpp"
#include "app/compare/entry.hpp"
#include "app/compare/predictions.hpp"
#include "app/himeno/model_case.hpp"
#include "app/model/rates_from_description.hpp"
#include "app/model/rates_from_membench.hpp"
#include "app/transpose/model_case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

namespace memstencil::compare {

namespace {

using model::MachineRates;
using model::Prediction;

/// The action's result; a refusal is thrown again with the run's name.
template <class Action>
auto of_run(const Run& run, Action&& action) {
  try {
    return action();
  } catch (const Failure& failure) {
    throw Failure(failure.code(), fmt::format("cannot use {}: {}", run.where(), failure.what()));
  }
}

/// Nothing for a side without membench results on a GPU.
std::optional<MachineRates> measured_rates(const Side& side) {
  std::optional<MachineRates> measured;
  for (const Run* run : side.runs) {
    const auto* result = run->as<membench::Result>();
    if (result == nullptr || !result->machine.gpu) continue;
    const MachineRates rates = of_run(*run, [&] { return model::rates_from_membench(*result); });
    measured = measured ? overlay(*measured, rates) : rates;
  }
  if (!measured) return std::nullopt;
  MachineRates base = model::assumed_rates();
  if (side.description) base = overlay(base, model::rates_from_description(*side.description));
  return overlay(base, *measured);
}

std::optional<model::MessageRates> measured_messages(const Side& side, const std::string& path,
                                                     bool between_nodes) {
  std::optional<model::MessageRates> found;
  for (const Run* run : side.runs)
    if (const auto* result = run->as<membench::Result>(); result != nullptr)
      if (const auto rates = model::message_rates_from_membench(*result, path, between_nodes))
        found = rates;
  return found;
}

/// The time that the sweeps of several ranks wait for each other, in the prediction's phase `halo`;
/// without rates of its path the phase is left out on both sides.
void predict_halo(const Side& side, const himeno::Result& run, const MachineRates& rates,
                  Prediction& prediction, model::Measured& times) {
  const int ranks = run.ranks[0] * run.ranks[1] * run.ranks[2];
  if (ranks == 1) return;
  const int hosts =
      run.provenance ? std::max(1, static_cast<int>(run.provenance->hosts.size())) : 1;
  const auto messages = measured_messages(side, run.halo, hosts > 1);
  if (!messages) return;
  model::HimenoCase whole = model_case(run);
  whole.extents = run.extents;
  const model::PassOnRanks pass =
      pass_on_ranks(whole, run.ranks, (ranks + hosts - 1) / hosts, rates, *messages);
  const double passes = static_cast<double>(run.iterations) / whole.fused;
  for (model::PhasePrediction& phase : prediction.phases)
    if (phase.phase == "halo")
      phase.time = {model::Cause::Messages, passes * (pass.total - pass.sweeps)};
  times.left_out.clear();
}

bool can_be_predicted(const himeno::Result& run) {
  return run.exec == "device" && !run.options_of_case.pre_touch;
}
bool can_be_predicted(const transpose::Result& run) {
  return run.exec == "device" && !run.sizes && run.ranks == 1 && !stopped_early(run);
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
  Prediction prediction = predict(model_case(run), rates);
  if constexpr (std::is_same_v<Result, himeno::Result>)
    predict_halo(side, run, rates, prediction, times);
  const model::Validation v = validate(prediction, times);
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
      if (result != nullptr && can_be_predicted(*result))
        table.rows.push_back(of_run(*run, [&] { return row_of(side, *result, *rates); }));
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
