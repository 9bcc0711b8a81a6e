// Predictions for machines that are only described, as an answer.
#include "app/compare/predictions.hpp"

#include "app/base/cli/numbers.hpp"
#include "app/base/record/text_report.hpp"
#include "app/base/runtime/failure.hpp"
#include "app/compare/answer.hpp"
#include "app/compare/model/sources.hpp"
#include "app/compare/model/transposes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <map>
#include <stdexcept>
#include <utility>

namespace memstencil::compare {

namespace {

using model::MachineRates;
using model::Prediction;

/// The thesis' way to run (section 4.3).
constexpr model::Access thesis_access{.filled_by_host = true};

/// The part of a prediction that all machines and memory spaces share.
struct Work {
  std::string what, unit;
  double of_step = 0;  ///< in 10^9 of the unit
  double bytes = 0;    ///< of all arrays
  std::int64_t steps = 0;
  model::Triple extents = {};  ///< of a grid code
  std::function<Prediction(MemorySpace, std::int64_t, const MachineRates&)> predict;
};

/// "512x512x1024". @throws Failure(Usage) that says what is valid
template <std::size_t Count>
std::array<std::int64_t, Count> sizes_of(const std::string& size, std::int64_t least,
                                         const std::string& valid) {
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  try {
    const std::vector<std::string> parts = split(size, 'x');
    std::array<std::int64_t, Count> sizes{};
    if (parts.size() != Count) throw std::invalid_argument(size);
    for (std::size_t d = 0; d < Count; ++d) sizes[d] = parse_integer(parts[d], least, most);
    return sizes;
  } catch (const std::invalid_argument&) {
    throw Failure(ExitCode::Usage, fmt::format("--size: '{}' is not a size: valid are {}, {} to {}",
                                               size, valid, least, most));
  }
}

/// Of a grid code: "XL", "512x512x1024".
model::Triple extents_of(const std::string& size) {
  static const std::map<std::string, model::Triple> names{{"XS", {32, 32, 64}},
                                                          {"S", {64, 64, 128}},
                                                          {"M", {128, 128, 256}},
                                                          {"L", {256, 256, 512}},
                                                          {"XL", {512, 512, 1024}}};
  const auto named = names.find(size);
  return named != names.end() ? named->second : sizes_of<3>(size, 3, "XS, S, M, L, XL and IxJxK");
}

Work grid_work(const PredictedTask& task, const std::string& size) {
  const model::Stencil& stencil = *task.application->stencil;
  model::GridCase one = grid_case(stencil, extents_of(size));
  one.access = thesis_access;
  return {.what = fmt::format("{} {}", stencil.program, fmt::join(one.extents, "x")),
          .unit = "GFLOPS",
          .of_step = 1e-9 * flops_of_sweep(stencil, one.extents),
          .bytes = one.bytes(),
          .extents = one.extents,
          .predict = [one](MemorySpace space, std::int64_t steps, const MachineRates& rates) {
            model::GridCase run = one;
            run.iterations = steps;
            run.space = space;
            return predict(run, rates);
          }};
}

/// The tuned kernel reads and writes whole sectors.
Work transpose_work(const std::string& size) {
  const bool square = size.find('x') == std::string::npos;
  const auto [rows, columns] =
      sizes_of<2>(square ? size + "x" + size : size, 1, "N and ROWSxCOLUMNS");
  const double bytes = sizeof(float) * static_cast<double>(rows) * static_cast<double>(columns);
  model::TransposeCase one{.a_bytes = bytes, .b_bytes = bytes, .variants = {}, .access = {}};
  one.variants = {{.name = "tuned", .link_bytes = 2 * bytes, .memory_bytes = 2 * bytes}};
  one.access = thesis_access;
  return {.what = fmt::format("transpose {} x {}, float, tuned", rows, columns),
          .unit = "GB/s",
          .of_step = 2e-9 * bytes,
          .bytes = 2 * bytes,
          .predict = [one](MemorySpace space, std::int64_t steps, const MachineRates& rates) {
            model::TransposeCase run = one;
            run.iterations = steps;
            run.space = space;
            return predict(run, rates);
          }};
}

Work work_of(const PredictedTask& task) {
  const Application& of = *task.application;
  const std::string size = task.size.empty() ? of.size : task.size;
  Work work = of.stencil != nullptr ? grid_work(task, size) : transpose_work(size);
  work.steps = task.iterations.value_or(of.steps);
  work.what += fmt::format(", {} {}s, filled by the host", work.steps, of.step);
  return work;
}

/// The reason why the machine cannot run it there, or empty.
std::string why_not(MemorySpace space, const Work& work, const MachineRates& rates) {
  if (rates.translation && !gpu_reaches(space, *rates.translation))
    return fmt::format(
        "not served: address translation is \"{}\", so the GPU does not reach memory "
        "of malloc; use managed",
        rates.translation->kind);
  if (space == MemorySpace::Device && rates.device_bytes && work.bytes > *rates.device_bytes)
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

Record memory_row(MemorySpace space, const Work& work, const MachineRates& rates) {
  Record row{{"memory", name(space)},
             {"seconds", Record()},
             {"to_best", Record()},
             {"speed", Record()},
             {"first_step", Record()},
             {"last_step", Record()},
             {"causes", Record::object()},
             {"missing", Record::array()},
             {"why", why_not(space, work, rates)}};
  if (row["why"] != "") return row;
  const Prediction prediction = work.predict(space, work.steps, rates);
  if (prediction.steps.size() > 0) {
    row["speed"] = work.of_step * static_cast<double>(work.steps) / prediction.steps.sum().total();
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
  } else {
    why = fmt::format("not predicted: nobody gives {}", fmt::join(missing, "; "));
  }
  if (beyond_device_memory(space, work.bytes, rates) > 0 || thrashes(space, work.bytes, rates))
    why += fmt::format("; {} of arrays for {} of GPU memory", bytes_text(work.bytes),
                       bytes_text(*rates.device_bytes));
  row["why"] = why;
  return row;
}

Record memory_rows(const Work& work, const MachineRates& rates) {
  std::vector<Record> rows;
  for (const MemorySpace space : all_memory_spaces) rows.push_back(memory_row(space, work, rates));
  const auto seconds = [](const Record& row) {
    return row["seconds"].is_null() ? std::numeric_limits<double>::infinity()
                                    : row["seconds"].get<double>();
  };
  std::stable_sort(rows.begin(), rows.end(),
                   [&](const Record& a, const Record& b) { return seconds(a) < seconds(b); });
  for (Record& row : rows)
    if (!row["seconds"].is_null()) row["to_best"] = seconds(row) / seconds(rows.front());
  return rows;
}

/// Whose the figures are that the description does not give.
std::vector<std::string> notes_on(const MachineDescription& machine, const MachineRates& rates) {
  std::vector<std::string> notes, assumed;
  constexpr std::string_view supposed = "supposed: ";
  for (const auto& [rate, figure] : rates.rates) {
    if (figure.source.starts_with("assumed"))
      assumed.push_back(fmt::format("{} {:.3g} GB/s", name(rate), figure.value / model::giga));
    if (figure.source.starts_with(supposed))
      notes.push_back(fmt::format("{}: {} {:.3g} GB/s is supposed, not stated ({}).", machine.name,
                                  name(rate), figure.value / model::giga,
                                  figure.source.substr(supposed.size())));
  }
  if (!assumed.empty())
    notes.push_back(fmt::format("{}: assumed by --assume, since its description does not say: {}.",
                                machine.name, fmt::join(assumed, ", ")));
  if (!machine.missing.empty())
    notes.push_back(fmt::format("{}: published nowhere that was read: {}.", machine.name,
                                fmt::join(machine.missing, "; ")));
  return notes;
}

}  // namespace

Record predictions_of(const PredictedTask& task, const std::vector<MachineDescription>& machines) {
  const Work work = work_of(task);
  Record all = Record::array(), scaling = Record::array();
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
    if (task.nodes)
      for (const Record& row : predicted_scaling(*task.application->stencil, work.extents,
                                                 *task.nodes, machine, rates, notes))
        scaling.push_back(row);
  }
  return {{"schema", "memstencil-comparison"},
          {"schema_version", 2},
          {"program", "memcompare"},
          {"title", "memstencil: predictions from descriptions"},
          {"notes", notes},
          {"scaling", scaling},
          {"scaling_sentences", scaling_sentences(scaling)},
          {"sides", Record::array()},
          {"problem", Record()},
          {"ranking", Record::array()},
          {"cases", Record::array()},
          {"model", Record::array()},
          {"published", Record::array()},
          {"probes", Record::array()},
          {"predictions", {{"what", work.what}, {"unit", work.unit}, {"machines", all}}}};
}

}  // namespace memstencil::compare
