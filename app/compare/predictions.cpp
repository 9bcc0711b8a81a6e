// Predictions for machines that are only described.
#include "app/compare/predictions.hpp"

#include "app/compare/model/rates_from_description.hpp"
#include "app/compare/predicted_scaling.hpp"
#include "app/compare/reasons.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace memstencil::compare {

namespace {

using model::MachineRates;
using model::Prediction;

/// Of the 42 runs in inputs/reference/samples, predicted from measured rates, 37 lie inside.
constexpr double band = 0.15;

MachineRates rates_of(const MachineDescription& machine) {
  return overlay(model::assumed_rates(), model::rates_from_description(machine));
}

double speed_of(const Task& task, const Prediction& prediction) {
  return task.work * static_cast<double>(prediction.sweeps.size()) /
         prediction.sweeps.sum().total();
}

double fastest(const std::vector<PredictedSpace>& spaces) {
  double least = std::numeric_limits<double>::infinity();
  for (const PredictedSpace& each : spaces)
    if (each.prediction) least = std::min(least, each.prediction->total());
  return least;
}

/// The largest causes of the time: "device memory 93 %, host memory 4 %".
std::string causes_in_words(const Prediction& prediction) {
  constexpr double least = 0.05;
  const model::TimeByCause time = prediction.time_by_cause();
  std::vector<std::pair<double, std::string>> parts;
  for (const model::Cause cause : model::all_causes)
    if (const double part = time[cause] / time.total(); part >= least)
      parts.emplace_back(part, std::string(name(cause)));
  std::stable_sort(parts.begin(), parts.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::string> texts;
  for (const auto& [part, what] : parts)
    texts.push_back(fmt::format("{} {:.0f} %", what, 100 * part));
  return fmt::format("{}", fmt::join(texts, ", "));
}

Table ranking(const MachineDescription& machine, const Task& task,
              std::vector<PredictedSpace> spaces) {
  const auto slower = [](const PredictedSpace& a, const PredictedSpace& b) {
    const double never = std::numeric_limits<double>::infinity();
    return (a.prediction ? a.prediction->total() : never) <
           (b.prediction ? b.prediction->total() : never);
  };
  std::stable_sort(spaces.begin(), spaces.end(), slower);
  Table table{.title = fmt::format("{} ({})", machine.title, machine.name),
              .columns = {{"memory"},
                          {"time", Show::Number, "s"},
                          {"band", Show::Text, "s"},
                          {"ratio", Show::Times},
                          {"speed", Show::Number, task.speed.unit},
                          {"why"}}};
  const double least = fastest(spaces);
  for (const PredictedSpace& each : spaces) {
    const std::string memory(name(each.space));
    if (!each.prediction) {
      table.rows.push_back({memory, nullptr, nullptr, nullptr, nullptr, each.refused});
      continue;
    }
    const double seconds = each.prediction->total();
    table.rows.push_back({memory, seconds,
                          fmt::format("{} to {}", number_text((1 - band) * seconds),
                                      number_text((1 + band) * seconds)),
                          seconds / least, speed_of(task, *each.prediction),
                          causes_in_words(*each.prediction)});
    for (const std::string& note : each.prediction->notes)
      table.note += fmt::format("{}{}: {}", table.note.empty() ? "" : "; ", memory, note);
  }
  return table;
}

Table all_figures(const MachineDescription& machine, const Task& task, const MachineRates& rates,
                  const std::vector<PredictedSpace>& spaces) {
  Table table{
      .title = fmt::format("PREDICTION, not measured: {}, filled by the host, on {}", task.what,
                           machine.name),
      .columns = {{"memory"},
                  {"all phases", Show::Number, "s"},
                  {"ratio", Show::Times},
                  {"least", Show::Number, "s"},
                  {"most", Show::Number, "s"},
                  task.speed,
                  {"first " + task.step, Show::Number, "ms"},
                  {"last " + task.step, Show::Number, "ms"}},
      .note = fmt::format("{}. From {}. Least and most: {:.0f} % of the time to either side.",
                          machine.title, rates.origin, 100 * band)};
  add_cause_columns(table);
  table.columns.push_back({"not served"});
  const double best = fastest(spaces);
  for (const PredictedSpace& each : spaces) {
    std::vector<Record> row{std::string(name(each.space))};
    if (each.prediction) {
      const Prediction& prediction = *each.prediction;
      const double seconds = prediction.total();
      row.insert(row.end(), {seconds, seconds / best, (1 - band) * seconds, (1 + band) * seconds,
                             speed_of(task, prediction), milli * prediction.sweeps.front().total(),
                             milli * prediction.sweeps.back().total()});
      add_causes(prediction, row);
      row.emplace_back(nullptr);
    } else {
      row.resize(table.columns.size() - 1);
      row.emplace_back(each.refused);
    }
    table.rows.push_back(row);
  }
  return table;
}

std::string plain(std::string_view name_of_rate) {
  std::string text(name_of_rate);
  std::replace(text.begin(), text.end(), '_', ' ');
  return text;
}

/// The figures that the description does not give.
std::string assumptions(const MachineDescription& machine, const MachineRates& rates) {
  std::vector<std::string> texts;
  for (const auto& [rate, figure] : rates.rates)
    if (figure.source.starts_with("assumed"))
      texts.push_back(fmt::format("{} {:.3g} GB/s", plain(name(rate)), figure.value / model::giga));
  return fmt::format(
      "{}: assumed, because its description does not say: {}{}seconds to allocate, make and "
      "release pages (as on an H100 behind PCIe 5), and 16 host threads.",
      machine.name, fmt::join(texts, ", "), texts.empty() ? "" : "; ");
}

/// The figures that the description gives and its source does not state, and what the model leaves
/// out where access counters move pages; empty where there is neither.
std::string suppositions(const MachineDescription& machine, const MachineRates& rates) {
  constexpr std::string_view mark = "supposed: ";
  std::vector<std::string> texts;
  for (const auto& [rate, figure] : rates.rates)
    if (figure.source.starts_with(mark))
      texts.push_back(fmt::format("{} {:.3g} GB/s is supposed, not stated ({})", plain(name(rate)),
                                  figure.value / model::giga, figure.source.substr(mark.size())));
  if (rates.translation && rates.translation->counters)
    texts.emplace_back(
        "left out is that patterns and Himeno with more than 4 GB were slower on Miyabi-G than "
        "migration explains ([tsukuba-thesis-2024], section 5.3.1, cause unknown)");
  return texts.empty() ? "" : fmt::format("{}: {}.", machine.name, fmt::join(texts, "; "));
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

Report predicted_report(const PredictedRun& run, const std::vector<MachineDescription>& machines) {
  const Task task = task_of(run);
  Report report{.title = "memstencil: predictions from descriptions"};
  Section first{.title =
                    fmt::format("PREDICTION, not measured: {}, filled by the host", task.what)};
  Section all{.title = "Predictions"}, assumed{.title = "Assumed"};
  assumed.paragraphs.push_back(fmt::format(
      "A data sheet's bandwidth counts times {:.2g}, a measured one as it is. The band is {:.0f} % "
      "to either side: of the 42 runs in inputs/reference/samples, predicted from measured rates, "
      "37 lie inside. From a description alone the error may be larger. Two times whose bands "
      "overlap are no different.",
      model::reached_of_theory, 100 * band));
  for (const MachineDescription& machine : machines) {
    const MachineRates rates = rates_of(machine);
    const std::vector<PredictedSpace> spaces = predicted_spaces(task, rates);
    first.tables.push_back(ranking(machine, task, spaces));
    all.tables.push_back(all_figures(machine, task, rates, spaces));
    assumed.paragraphs.push_back(assumptions(machine, rates));
    if (const std::string supposed = suppositions(machine, rates); !supposed.empty())
      assumed.paragraphs.push_back(supposed);
    if (!machine.missing.empty())
      assumed.paragraphs.push_back(fmt::format("{}: published nowhere that was read: {}.",
                                               machine.name, fmt::join(machine.missing, "; ")));
  }
  report.summary = {first};
  if (run.nodes) report.summary.push_back(predicted_scaling(run, machines));
  report.summary.push_back(assumed);
  add(report.sections, all);
  return report;
}

Record predictions_to_draw(const PredictedRun& run,
                           const std::vector<MachineDescription>& machines) {
  const Task task = task_of(run);
  Record drawn{{"what", task.what},
               {"machines", Record::array()},
               {"scaling", run.nodes ? scaling_to_draw(run, machines) : Record::array()}};
  for (const MachineDescription& machine : machines) {
    Record memories = Record::array();
    for (const PredictedSpace& each : predicted_spaces(task, rates_of(machine))) {
      if (!each.prediction) continue;
      const model::TimeByCause time = each.prediction->time_by_cause();
      Record causes = Record::object();
      for (const model::Cause cause : model::all_causes) causes[name(cause)] = time[cause];
      memories.push_back({{"memory", name(each.space)},
                          {"seconds", time.total()},
                          {"least", (1 - band) * time.total()},
                          {"most", (1 + band) * time.total()},
                          {"causes", causes}});
    }
    drawn["machines"].push_back({{"machine", machine.name}, {"memories", memories}});
  }
  return drawn;
}

}  // namespace memstencil::compare
