// How well the model does: each run that was measured, predicted from membench's rates of its machine.
#include "app/compare/model_errors.hpp"

#include "app/common/failure.hpp"
#include "app/compare/entry.hpp"
#include "app/compare/predictions.hpp"
#include "app/model/rates_from_description.hpp"
#include "app/model/rates_from_membench.hpp"
#include "app/model/validation.hpp"

#include <fmt/format.h>

#include <cmath>
#include <exception>
#include <functional>
#include <optional>
#include <string>
#include <utility>

namespace memstencil::compare {

namespace {

using model::MachineRates;
using model::Prediction;

MachineRates rates_of(const Run& run) {
  run.text("machine.gpu.address_translation");
  run.number("machine.gpu.memory_bytes");
  run.number("machine.gpu.multiprocessors");
  try {
    return model::rates_from_membench(run.record);
  } catch (const Failure& failure) {
    throw Failure(failure.code(), fmt::format("cannot use {}: {}", run.where(), failure.what()));
  }
}

/// Nothing for a side without membench results on a GPU.
std::optional<MachineRates> measured_rates(const Side& side) {
  std::optional<MachineRates> measured;
  for (const Run* run : side.runs) {
    if (run->program() != "membench" || run->find("machine.gpu") == nullptr) continue;
    const MachineRates rates = rates_of(*run);
    measured = measured ? overlay(*measured, rates) : rates;
  }
  if (!measured) return std::nullopt;
  MachineRates base = model::assumed_rates();
  if (side.description) base = overlay(base, model::rates_from_description(*side.description));
  return overlay(base, *measured);
}

/// What of a program's runs is predicted, and how it is called.
struct Predicted {
  std::string program, title, step;
  std::function<bool(const Run&)> takes;
  std::function<void(const Run&)> check;  ///< of members that nothing else here has asked for
  std::function<Prediction(const Record&, const MachineRates&)> predict;
  std::function<model::Measured(const Record&)> measured;
  std::function<std::string(const Run&)> label;
};

void check_sweeps(const Run& run) {
  run.text("sweep_kernel");
  for (const char* each : {"iterations", "sweep_seconds.first", "sweep_seconds.median"}) run.number(each);
}

void check_variants(const Run& run) {
  if (run.number("iterations") < 1 || run.objects("variants").empty())
    throw Failure(ExitCode::Other,
                  fmt::format("cannot use {}: it has no iterations or no variants", run.where()));
  for (const char* each : {"pitch_a", "pitch_b"}) run.number(each);
  for (const Record& variant : run.objects("variants")) {
    const Run its{run.file, run.name, variant};
    its.number("bytes");
    its.numbers("seconds");
    its.number("iteration_seconds.median");
  }
}

std::string transposes_label(const Run& run) {
  const auto variants = model::transpose_case(run.record).variants;
  const std::string timed =
      variants.size() == 1 ? variants[0].name : fmt::format("{} variants", variants.size());
  return fmt::format("{} x {}", timed, run.number("iterations")) + transpose_problem_label(run);
}

std::vector<Predicted> predicted_programs() {
  return {{.program = "himeno",
           .title = "Himeno",
           .step = "sweep",
           .takes = [](const Run& run) { return run.find("tune") == nullptr; },
           .check = check_sweeps,
           .predict = [](const Record& run,
                         const MachineRates& rates) { return predict(model::himeno_case(run), rates); },
           .measured = model::measured_himeno,
           .label = [](const Run& run) { return himeno_entries(run).front().label; }},
          {.program = "transpose",
           .title = "Transpose",
           .step = "transpose",
           .takes = [](const Run& run) { return run.find("sizes") == nullptr && run.number("ranks") == 1; },
           .check = check_variants,
           .predict = [](const Record& run,
                         const MachineRates& rates) { return predict(model::transpose_case(run), rates); },
           .measured = model::measured_transpose,
           .label = transposes_label}};
}

Prediction prediction_of(const Run& run, const MachineRates& rates, const Predicted& what) {
  what.check(run);
  try {
    return what.predict(run.record, rates);
  } catch (const std::exception& error) {
    throw Failure(ExitCode::Other, fmt::format("cannot use {}: {}", run.where(), error.what()));
  }
}

std::vector<Record> row_of(const Side& side, const Run& run, const MachineRates& rates,
                           const Predicted& what) {
  const Prediction prediction = prediction_of(run, rates, what);
  for (const model::PhasePrediction& phase : prediction.phases) run.number("phases." + phase.phase);
  const Record v = model::validate(prediction, what.measured(run.record));
  const auto ms = [](const Record& seconds) { return milli * seconds.get<double>(); };
  std::vector<Record> row{side.label,
                          what.label(run),
                          v["total"]["predicted"],
                          v["total"]["measured"],
                          v["total"]["error"],
                          ms(v["first_step"]["predicted"]),
                          ms(v["first_step"]["measured"]),
                          ms(v["median_step"]["predicted"]),
                          ms(v["median_step"]["measured"])};
  add_causes(prediction, row);
  return row;
}

/// How many of the table's runs are predicted within 15 % of their time, and which one worst: a sentence a
/// machine.
std::string errors_in_words(const Table& table) {
  struct Errors {
    int runs = 0, good = 0;
    double worst = 0;
    std::string of;
  };
  constexpr double wanted = 0.15;
  std::vector<std::pair<std::string, Errors>> machines;  // in the order of the rows
  for (const auto& row : table.rows) {
    if (!row[4].is_number()) continue;  // nothing took any time
    const auto machine = row[0].get<std::string>();
    const auto error = row[4].get<double>();
    if (machines.empty() || machines.back().first != machine) machines.push_back({machine, {}});
    Errors& errors = machines.back().second;
    ++errors.runs;
    errors.good += std::abs(error) < wanted ? 1 : 0;
    if (std::abs(error) < std::abs(errors.worst)) continue;
    errors.worst = error;
    errors.of = row[1].get<std::string>();
  }
  std::string sentences;
  for (const auto& [machine, e] : machines)
    sentences += fmt::format(
        " {}: {} of {} runs are predicted within {:.0f} % of the time of all phases; the largest error is "
        "{:+.1f} %, of {}.",
        machine, e.good, e.runs, 100 * wanted, 100 * e.worst, e.of);
  return sentences;
}

Table errors_of(const Predicted& what, const std::vector<Side>& sides) {
  Table table{.title = what.title + ": predicted from membench's rates, and measured",
              .columns = {{"machine"},
                          {"case"},
                          {"predicted", Show::Number, "s"},
                          {"measured", Show::Number, "s"},
                          {"error", Show::Percent},
                          {"first " + what.step + " predicted", Show::Number, "ms"},
                          {"first " + what.step + " measured", Show::Number, "ms"},
                          {"median " + what.step + " predicted", Show::Number, "ms"},
                          {"median " + what.step + " measured", Show::Number, "ms"}},
              .note = "Seconds over all phases. The causes are of the prediction."};
  add_cause_columns(table);
  for (const Side& side : sides) {
    const std::optional<MachineRates> rates = measured_rates(side);
    if (!rates) continue;
    for (const Run* run : side.runs)
      if (run->program() == what.program && run->text("exec") == "device" && what.takes(*run))
        table.rows.push_back(row_of(side, *run, *rates, what));
  }
  table.note += errors_in_words(table);
  return table;
}

}  // namespace

std::vector<Table> predicted_and_measured(const std::vector<Side>& sides) {
  std::vector<Table> tables;
  for (const Predicted& what : predicted_programs()) tables.push_back(errors_of(what, sides));
  return tables;
}

}  // namespace memstencil::compare
