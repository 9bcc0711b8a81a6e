// Predictions for machines that are only described.
#include "app/compare/predictions.hpp"

#include "app/model/himeno_model.hpp"
#include "app/model/rates_from_description.hpp"
#include "app/model/transpose_model.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>

namespace memstencil::compare {

namespace {

using model::MachineRates;
using model::Prediction;

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
    const double seconds = prediction.sweeps.sum().total();
    std::vector<Record> row{std::string(name(space)), prediction.total(),
                            work * static_cast<double>(prediction.sweeps.size()) / seconds,
                            milli * prediction.sweeps.front().total(),
                            milli * prediction.sweeps.back().total()};
    add_causes(prediction, row);
    table.rows.push_back(row);
  }
  return table;
}

}  // namespace

void add_cause_columns(Table& table) {
  for (const model::Cause cause : model::all_causes)
    table.columns.push_back({std::string(name(cause)), Show::Percent});
}

void add_causes(const Prediction& prediction, std::vector<Record>& row) {
  const model::TimeByCause time = prediction.time_by_cause();
  for (const model::Cause cause : model::all_causes) row.push_back(time[cause] / time.total());
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
