// What the model says: of the runs that were measured, and of machines that are only described.
#include "app/compare/predictions.hpp"

#include "app/common/failure.hpp"
#include "app/model/rates_from_description.hpp"
#include "app/model/rates_from_membench.hpp"
#include "app/model/transpose_model.hpp"
#include "app/model/validation.hpp"

#include <fmt/format.h>

#include <cmath>
#include <exception>
#include <optional>
#include <string>
#include <utility>

namespace memstencil::compare {

namespace {

using model::MachineRates;
using model::Prediction;

constexpr double milli = 1e3;

void add_cause_columns(Table& table) {
  for (const model::Cause cause : model::all_causes)
    table.columns.push_back({std::string(name(cause)), Show::Percent});
}

void add_causes(const Prediction& prediction, std::vector<Record>& row) {
  const model::Split split = prediction.split();
  for (const model::Cause cause : model::all_causes) row.push_back(split[cause] / split.total());
}

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

model::HimenoCase case_of(const Run& run) {
  run.text("sweep_kernel");
  try {
    return model::himeno_case(run.record);
  } catch (const std::exception& error) {
    throw Failure(ExitCode::Other, fmt::format("cannot use {}: {}", run.where(), error.what()));
  }
}

std::vector<Record> row_of(const Side& side, const Run& run, const MachineRates& rates) {
  const Prediction prediction = predict(case_of(run), rates);
  // On several ranks the halo is not predicted.
  const bool alone = run.text("halo") == "none";
  double predicted = 0, measured = 0;
  for (const model::PhasePrediction& phase : prediction.phases) {
    if (phase.phase == "halo" && !alone) continue;
    predicted += phase.split.total();
    measured += run.number("phases." + phase.phase);
  }
  std::vector<Record> row{side.label,
                          himeno_entries(run).front().label,
                          predicted,
                          measured,
                          predicted / measured - 1,
                          milli * prediction.sweeps.front().total(),
                          milli * run.number("sweep_seconds.first"),
                          milli * prediction.sweeps.back().total(),
                          milli * run.number("sweep_seconds.median")};
  add_causes(prediction, row);
  return row;
}

constexpr model::Access thesis_access{
    .executor = Executor::Device, .first_touch = Executor::Host, .prefetch = false};

model::HimenoCase thesis_case(MemorySpace space) {
  model::HimenoCase run;
  run.extents = {512, 512, 1024};
  run.points = 510.0 * 510.0 * 1022.0;
  run.iterations = 3000;
  run.access = thesis_access;
  run.p = run.coefficients = space;
  return run;
}

/// 4.3 GB a matrix, of which the tuned kernel reads and writes whole sectors.
model::TransposeCase large_transpose(MemorySpace space) {
  constexpr double bytes = 4.0 * 32768 * 32768;
  model::TransposeCase run;
  run.a_bytes = run.b_bytes = bytes;
  run.iterations = 100;
  run.variants = {{.name = "tuned", .link_bytes = 2 * bytes, .memory_bytes = 2 * bytes}};
  run.access = thesis_access;
  run.space = space;
  return run;
}

/// One row a memory space that the machine serves: a case of the space, of which each step (a sweep, an
/// iteration) counts as `work` in the unit of `speed`.
template <class CaseIn>
Table predicted_spaces(const MachineDescription& machine, const std::string& what, const std::string& step,
                       const Column& speed, double work, CaseIn case_in) {
  const MachineRates rates = overlay(model::assumed_rates(), model::rates_from_description(machine));
  Table table{
      .title = fmt::format("PREDICTION, not measured: {}, touched by the host, on {}", what, machine.name),
      .columns = {{"memory"},
                  {"all phases", Show::Number, "s"},
                  speed,
                  {"first " + step, Show::Number, "ms"},
                  {"last " + step, Show::Number, "ms"}},
      .note = fmt::format("{}. From {}; what that leaves open is assumed from an H100 behind PCIe.",
                          machine.title, rates.origin)};
  add_cause_columns(table);
  for (const MemorySpace space : all_memory_spaces) {
    if (!gpu_reaches(space, *rates.translation)) continue;
    const Prediction prediction = predict(case_in(space), rates);
    double seconds = 0;
    for (const model::Split& each : prediction.sweeps) seconds += each.total();
    std::vector<Record> row{std::string(name(space)), prediction.total(),
                            work * static_cast<double>(prediction.sweeps.size()) / seconds,
                            milli * prediction.sweeps.front().total(),
                            milli * prediction.sweeps.back().total()};
    add_causes(prediction, row);
    table.rows.push_back(row);
  }
  return table;
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

}  // namespace

Table predicted_and_measured(const std::vector<Side>& sides) {
  Table table{.title = "Himeno: predicted from membench's rates, and measured",
              .columns = {{"machine"},
                          {"case"},
                          {"predicted", Show::Number, "s"},
                          {"measured", Show::Number, "s"},
                          {"error", Show::Percent},
                          {"first sweep predicted", Show::Number, "ms"},
                          {"first sweep measured", Show::Number, "ms"},
                          {"last sweep predicted", Show::Number, "ms"},
                          {"median sweep measured", Show::Number, "ms"}},
              .note = "Seconds over all phases. The causes are of the prediction."};
  add_cause_columns(table);
  for (const Side& side : sides) {
    const std::optional<MachineRates> rates = measured_rates(side);
    if (!rates) continue;
    for (const Run* run : side.runs)
      if (run->program() == "himeno" && run->find("tune") == nullptr && run->text("exec") == "device")
        table.rows.push_back(row_of(side, *run, *rates));
  }
  table.note += errors_in_words(table);
  return table;
}

Table predicted_himeno(const MachineDescription& machine) {
  constexpr double giga_flops = 34e-9 * 509 * 509 * 1021;
  return predicted_spaces(machine, "Himeno XL, 3000 sweeps", "sweep",
                          {"speed of the sweeps", Show::Number, "GFLOPS"}, giga_flops, thesis_case);
}

Table predicted_transpose(const MachineDescription& machine) {
  constexpr double giga_bytes = 8e-9 * 32768 * 32768;
  return predicted_spaces(machine, "100 transposes of 32768 x 32768 floats, tuned", "transpose",
                          {"speed of the transposes", Show::Number, "GB/s"}, giga_bytes, large_transpose);
}

}  // namespace memstencil::compare
