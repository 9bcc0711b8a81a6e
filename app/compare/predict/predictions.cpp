// Predictions for machines that are only described, as an answer.
#include "app/compare/predict/predictions.hpp"

#include "app/base/cli/numbers.hpp"
#include "app/base/record/text_report.hpp"
#include "app/base/runtime/failure.hpp"
#include "app/compare/judge/scaling.hpp"
#include "app/compare/predict/applications.hpp"
#include "app/compare/predict/predicted_scaling.hpp"
#include "app/compare/predict/rates.hpp"
#include "app/compare/read/number_text.hpp"
#include "app/compare/read/tree.hpp"
#include "app/compare/show/sentences.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <stdexcept>
#include <utility>
#include <variant>

namespace memstencil::compare {

namespace {

using model::MachineRates;
using model::Prediction;

/// The part of a prediction that all machines and memory spaces share.
struct Work {
  std::string what, unit;
  double amount = 0;  ///< of all steps, in 10^9 of the unit
  double bytes = 0;   ///< of all arrays
  std::variant<model::GridCase, model::TransposeCase> run;
};

/// The run in this memory space, of this machine.
Prediction predicted(const Work& work, MemorySpace space, const MachineRates& rates) {
  return std::visit(
      [&](auto run) {
        run.space = space;
        run.host_threads = rates.host_threads.value_or(run.host_threads);
        return model::predict(run, rates);
      },
      work.run);
}

/// The numbers of "512x512x1024", at least `fewest` of them.
/// @throws Failure(Usage) that says what is valid
std::vector<std::int64_t> sizes_of(const std::string& size, std::size_t fewest, std::size_t most,
                                   std::int64_t least, const std::string& valid) {
  constexpr std::int64_t largest = std::numeric_limits<std::int32_t>::max();
  try {
    const std::vector<std::string> parts = split(size, 'x');
    if (parts.size() < fewest || parts.size() > most) throw std::invalid_argument(size);
    std::vector<std::int64_t> sizes;
    for (const std::string& part : parts) sizes.push_back(parse_integer(part, least, largest));
    return sizes;
  } catch (const std::invalid_argument&) {
    throw Failure(ExitCode::Usage, fmt::format("--size: '{}' is not a size: valid are {}, {} to {}",
                                               size, valid, least, largest));
  }
}

/// Of a grid code: "XL", "512x512x1024".
model::Triple extents_of(const std::string& size) {
  static const std::map<std::string, model::Triple> names{{"XS", {32, 32, 64}},
                                                          {"S", {64, 64, 128}},
                                                          {"M", {128, 128, 256}},
                                                          {"L", {256, 256, 512}},
                                                          {"XL", {512, 512, 1024}}};
  if (const auto named = names.find(size); named != names.end()) return named->second;
  const auto sizes = sizes_of(size, 3, 3, 3, "XS, S, M, L, XL and IxJxK");
  return {sizes[0], sizes[1], sizes[2]};
}

Work grid_work(const PredictedTask& task, const std::string& size, std::int64_t steps,
               const model::Placement& placement) {
  const model::Stencil& stencil = *task.application->stencil;
  model::GridCase one = grid_case(stencil, extents_of(size), placement);
  one.iterations = steps;
  one.fused = static_cast<int>(task.fused);
  if (one.fused > stencil.most_fused)
    throw Failure(ExitCode::Usage, fmt::format("--sweep: {} fuses at most {} sweeps",
                                               stencil.program, stencil.most_fused));
  return {
      .what = fmt::format("{} {}, {}", stencil.program, fmt::join(one.extents, "x"), one.sweep()),
      .unit = "GFLOPS",
      .amount = 1e-9 * flops_of_sweep(stencil, one.extents) * static_cast<double>(steps),
      .bytes = one.bytes(),
      .run = one};
}

/// The portable kernel reads and writes whole sectors.
Work transpose_work(const std::string& size, std::int64_t steps,
                    const model::Placement& placement) {
  const auto sizes = sizes_of(size, 1, 2, 1, "N and ROWSxCOLUMNS");
  const std::int64_t rows = sizes.front(), columns = sizes.back();
  const double bytes = sizeof(float) * static_cast<double>(rows) * static_cast<double>(columns);
  return {.what = fmt::format("transpose {} x {}, float, portable", rows, columns),
          .unit = "GB/s",
          .amount = 2e-9 * bytes * static_cast<double>(steps),
          .bytes = 2 * bytes,
          .run = model::TransposeCase{
              placement, bytes, bytes, sizeof(float), steps, {{"portable", 2 * bytes, 2 * bytes}}}};
}

Work work_of(const PredictedTask& task) {
  const Application& of = *task.application;
  const std::string size = task.size.empty() ? of.size : task.size;
  const std::int64_t steps = task.iterations.value_or(of.steps);
  const model::Placement placement{.filled_by_host = task.first_touch == Executor::Host,
                                   .prefetch = task.prefetch};
  Work work = of.stencil != nullptr ? grid_work(task, size, steps, placement)
                                    : transpose_work(size, steps, placement);
  work.what += fmt::format(", {} {}s, filled by the {}{}", steps, of.step,
                           placement.filled_by_host ? "host" : "GPU",
                           placement.prefetch ? ", prefetched" : "");
  return work;
}

/// The reason why the machine cannot run it there, or empty.
std::string why_not(MemorySpace space, const Work& work, const MachineRates& rates) {
  if (rates.translation && !gpu_reaches(space, *rates.translation))
    return fmt::format(
        "not served: address translation is \"{}\", so the GPU does not reach memory "
        "of malloc; use managed",
        rates.translation->kind);
  if (home(space) == Home::Gpu && rates.device_bytes && work.bytes > *rates.device_bytes)
    return fmt::format("does not fit: {} of arrays, {} of GPU memory", bytes_text(work.bytes),
                       bytes_text(*rates.device_bytes));
  return "";
}

/// The largest causes of the time: "device memory 93 %, host memory 4 %".
std::string causes_in_words(const model::TimeByCause& time) {
  constexpr double least = 0.05;
  std::vector<std::pair<double, std::string>> parts;
  for (const model::Cause cause : model::all_causes)
    if (const double part = time[cause] / time.total(); part >= least)
      parts.emplace_back(-part, name(cause));
  std::sort(parts.begin(), parts.end());
  std::vector<std::string> texts;
  for (const auto& [part, what] : parts)
    texts.push_back(fmt::format("{} {:.0f} %", what, -100 * part));
  return fmt::format("{}", fmt::join(texts, ", "));
}

/// Seconds with the assumed figures half and twice as dear, and those of them that count.
void add_range(MemorySpace space, const Work& work, const MachineRates& rates, Record& row) {
  constexpr double counts = 0.01;
  const auto seconds = [&](const MachineRates& with) {
    return predicted(work, space, with).time().total();
  };
  Record names = Record::array();
  for (const std::string& figure : assumed_figures(rates))
    if (std::abs(seconds(dearer(rates, 2, figure)) / number(row, "seconds") - 1) > counts)
      names.push_back(figure);
  row["assumed"] = names;
  row["is_assumed"] = !names.empty();
  const std::array ends{seconds(dearer(rates, 0.5)), seconds(dearer(rates, 2))};
  row["least_seconds"] = std::min(ends[0], ends[1]);
  row["most_seconds"] = std::max(ends[0], ends[1]);
  if (!names.empty())
    row["range"] = fmt::format("{} to {}", four_digits(number(row, "least_seconds")),
                               four_digits(number(row, "most_seconds")));
}

Record memory_row(MemorySpace space, const Work& work, const MachineRates& rates) {
  Record row{{"memory", name(space)}, {"why", why_not(space, work, rates)}};
  if (row["why"] != "") return row;
  const Prediction prediction = predicted(work, space, rates);
  if (prediction.steps.size() > 0) {
    row["speed"] = work.amount / prediction.steps.sum().total();
    row["first_step"] = prediction.steps.front().total();
    row["last_step"] = prediction.steps.back().total();
  }
  const auto missing = prediction.missing();
  row["missing"] = missing;
  std::string why;
  if (missing.empty()) {
    const model::TimeByCause time = prediction.time();
    row["seconds"] = time.total();
    for (const model::Cause cause : model::all_causes) row["causes"][name(cause)] = time[cause];
    why = causes_in_words(time);
    add_range(space, work, rates, row);
    if (row["is_assumed"] == true)
      why += fmt::format("; hangs on assumed: {}",
                         fmt::join(row["assumed"].get<std::vector<std::string>>(), "; "));
  } else {
    why = fmt::format("not predicted: nobody gives {}", fmt::join(missing, "; "));
  }
  if (rates.translation &&
      (beyond_device_memory(space, work.bytes, rates) > 0 || thrashes(space, work.bytes, rates)))
    why += fmt::format("; {} of arrays for {} of GPU memory", bytes_text(work.bytes),
                       bytes_text(*rates.device_bytes));
  row["why"] = why;
  return row;
}

Record memory_rows(const Work& work, const MachineRates& rates) {
  std::vector<Record> rows;
  for (const MemorySpace space : all_memory_spaces) rows.push_back(memory_row(space, work, rates));
  const auto seconds = [](const Record& row) {
    return row.value("seconds", std::numeric_limits<double>::infinity());
  };
  std::ranges::stable_sort(rows, {}, seconds);
  for (Record& row : rows)
    if (row.contains("seconds")) row["to_best"] = seconds(row) / seconds(rows.front());
  return rows;
}

/// Whose the figures are that the description does not give.
std::vector<std::string> notes_on(const MachineDescription& machine, const MachineRates& rates) {
  std::vector<std::string> notes, assumed;
  constexpr std::string_view supposed = model::supposed_source;
  for (const auto& [rate, figure] : rates.rates) {
    if (figure.source == model::assumed_source)
      assumed.push_back(fmt::format("{} {:.3g} GB/s", name(rate), figure.value / model::giga));
    if (figure.source.starts_with(supposed))
      notes.push_back(fmt::format("{}: {} {:.3g} GB/s is supposed, not stated ({}).", machine.name,
                                  name(rate), figure.value / model::giga,
                                  figure.source.substr(supposed.size())));
  }
  if (!rates.costs.empty()) assumed.push_back("all costs of allocation and pages");
  if (!rates.assumed.empty())
    notes.push_back(
        fmt::format("{}: assumed, since its description does not say: {}. They are of {}.",
                    machine.name, fmt::join(assumed, ", "), rates.assumed));
  if (rates.translation && rates.translation->ats())
    notes.push_back(fmt::format("{}: memory mode {}{}.", machine.name,
                                rates.translation->gpu_node ? "numa" : "driver (CDMM)",
                                machine.parameters.contains("memory_mode")
                                    ? ""
                                    : " (assumed: it gives no parameters.memory_mode)"));
  if (!machine.missing.empty())
    notes.push_back(fmt::format("{}: published nowhere that was read: {}.", machine.name,
                                fmt::join(machine.missing, "; ")));
  return notes;
}

}  // namespace

Record predictions_of(const PredictedTask& task, const std::vector<MachineDescription>& machines) {
  const Work work = work_of(task);
  Record all = Record::array(), curves = Record::array();
  std::vector<std::string> notes{fmt::format(
      "A data sheet's bandwidth counts times {:.2g}, a measured one as it is. How far the model is "
      "off, docs/model.md says of measured rates; from a description the error may be larger.",
      model::reached_of_theory)};
  for (const MachineDescription& machine : machines) {
    const MachineRates described = model::described_rates(machine);
    const MachineRates rates = task.assumed ? overlay(*task.assumed, described) : described;
    all.push_back({{"machine", machine.name},
                   {"title", fmt::format("{} ({})", machine.title, machine.name)},
                   {"memories", memory_rows(work, rates)}});
    for (const std::string& note : notes_on(machine, rates)) notes.push_back(note);
    if (!rates.host_threads)
      notes.push_back(machine.name + ": 16 host threads are assumed: it gives no host_cores.");
    if (task.nodes)
      for (const Record& row : predicted_scaling(std::get<model::GridCase>(work.run), *task.nodes,
                                                 machine, rates, notes))
        curves.push_back(row);
  }
  return {{"schema", "memstencil-comparison"},
          {"schema_version", 2},
          {"program", "memcompare"},
          {"title", "memstencil: predictions from descriptions"},
          {"sentences", predicted_sentences(all, task.application->step)},
          {"notes", notes},
          {"scaling", curves},
          {"scaling_sentences", scaling_sentences(curves)},
          {"predictions", {{"what", work.what}, {"unit", work.unit}, {"machines", all}}}};
}

}  // namespace memstencil::compare
