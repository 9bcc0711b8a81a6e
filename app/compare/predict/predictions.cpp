// Predictions for machines that are only described: the work, the memories and kinds of sweep in
// which each machine does it, and whose the figures are.
#include "app/compare/predict/predictions.hpp"

#include "app/base/cli/numbers.hpp"
#include "app/base/runtime/failure.hpp"
#include "app/compare/predict/predicted_run.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <deque>
#include <limits>
#include <set>
#include <stdexcept>

namespace memstencil::compare {

namespace {

using model::Ends;

/// Sweeps a pass by which himeno is about the fastest over a link (docs/lab/streamed-sweeps.md).
constexpr int streamed_sweeps = 96;

/// Of a grid code. @throws Failure(Usage) with the words of himeno
Triple extents_of(const std::string& size) {
  try {
    return parse_size(size);
  } catch (const std::invalid_argument& none) {
    throw Failure(ExitCode::Usage, fmt::format("--size: {}", none.what()));
  }
}

/// Rows and columns of "32768" or "8191x12289".
std::pair<std::int64_t, std::int64_t> shape_of(const std::string& size) {
  const std::vector<std::string> parts = split(size, 'x');
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  try {
    if (parts.size() <= 2)
      return {parse_integer(parts.front(), 1, most), parse_integer(parts.back(), 1, most)};
  } catch (const std::invalid_argument&) {
  }
  throw Failure(ExitCode::Usage, fmt::format("--size: '{}' is not a size: valid are N and "
                                             "ROWSxCOLUMNS, 1 to {}",
                                             size, most));
}

model::GridCase grid_of(const PredictedTask& task, int fused) {
  const Application& of = *task.application;
  model::GridCase one = grid_case(*of.stencil, extents_of(task.size.empty() ? of.size : task.size));
  one.iterations = task.iterations.value_or(of.steps);
  one.fused = fused;
  return one;
}

Work grid_work(const model::GridCase& one) {
  const auto steps = static_cast<double>(one.iterations);
  return {.unit = "GFLOPS",
          .amount = 1e-9 * flops_of_sweep(one.stencil, one.extents) * steps,
          .moved = one.points * one.stencil.near_bytes() * steps,
          .bytes = one.bytes(),
          .fused = one.fused,
          .over_link = {"link", model::Rate::DeviceReadsHost},
          .predict =
              [one](const model::Placement& placement, const model::MachineRates& rates) {
                model::GridCase run = one;
                static_cast<model::Placement&>(run) = placement;
                return predict(run, rates);
              },
          .record = {{"program", one.stencil.program},
                     {"size", size_name(one.extents)},
                     {"extents", one.extents},
                     {"ranks", {1, 1, 1}},
                     {"iterations", one.iterations},
                     {"sweep", one.sweep()}}};
}

/// The portable kernel reads and writes whole sectors.
Work transpose_work(const PredictedTask& task, std::int64_t steps) {
  const auto [rows, columns] = shape_of(task.size.empty() ? task.application->size : task.size);
  const double bytes = sizeof(float) * static_cast<double>(rows) * static_cast<double>(columns);
  return {.unit = "GB/s",
          .amount = 2e-9 * bytes * static_cast<double>(steps),
          .moved = 2 * bytes * static_cast<double>(steps),
          .bytes = 2 * bytes,
          .over_link = {"link, both ways at once", model::Rate::LinkBothWays},
          .predict =
              [=](const model::Placement& placement, const model::MachineRates& rates) {
                return predict(model::TransposeCase{placement,
                                                    bytes,
                                                    bytes,
                                                    sizeof(float),
                                                    steps,
                                                    {{"portable", 2 * bytes, 2 * bytes}}},
                               rates);
              },
          .record = {{"program", "transpose"},
                     {"size", fmt::format("{}x{}", rows, columns)},
                     {"rows", rows},
                     {"columns", columns},
                     {"type", "float"},
                     {"ranks", 1},
                     {"variants", {{{"name", "portable"}}}}}};
}

/// A work for each kind of step, the simplest first.
/// @throws Failure(Usage) as himeno does for fewer sweeps than a pass makes
std::vector<Work> works_of(const PredictedTask& task) {
  const Application& of = *task.application;
  const std::int64_t steps = task.iterations.value_or(of.steps);
  if (of.stencil == nullptr) return {transpose_work(task, steps)};
  if (task.fused > steps)
    throw Failure(ExitCode::Usage,
                  fmt::format("--sweep temporal:{0} makes {0} sweeps a pass: --iterations {1} are "
                              "fewer",
                              *task.fused, steps));
  if (task.nodes && task.fused > of.stencil->most_fused)
    throw Failure(
        ExitCode::Usage,
        fmt::format("--sweep temporal:{}: scaling is predicted of arrays in device memory, "
                    "which has single and temporal:2 to temporal:{}",
                    *task.fused, of.stencil->most_fused));
  std::vector<int> kinds{1, 2, 3, 4, streamed_sweeps};
  if (task.fused || of.stencil->most_fused == 1) kinds = {static_cast<int>(task.fused.value_or(1))};
  std::vector<Work> works;
  for (const int fused : kinds)
    if (fused <= steps) works.push_back(grid_work(grid_of(task, fused)));
  return works;
}

/// "device memory 3200 (3040 to 3360) GB/s: [source]"
std::string bandwidth(const char* of, model::Rate rate, const Ends& rates) {
  const auto found = rates[0].rates.find(rate);
  if (found == rates[0].rates.end()) return fmt::format("{}: its bandwidth is not given", of);
  return fmt::format("{} {:.4g} ({:.4g} to {:.4g}) GB/s: {}", of, rates[0][rate] / model::giga,
                     rates[model::Slow][rate] / model::giga, rates[model::Fast][rate] / model::giga,
                     found->second.source);
}

/// Whose the figures are that the description does not give.
void add_notes(const MachineDescription& machine, const Ends& rates,
               std::vector<std::string>& notes) {
  const auto note = [&](const std::string& line) {
    notes.push_back(machine.name + ": " + line + ".");
  };
  note(bandwidth("device memory", model::Rate::DeviceCopy, rates) + "; " +
       bandwidth("a kernel over the link", model::Rate::DeviceReadsHost, rates));
  const model::MachineRates& usual = rates[0];
  constexpr std::string_view supposed = model::supposed_source;
  std::vector<std::string> assumed;
  for (const auto& [rate, figure] : usual.rates) {
    if (figure.source == model::assumed_source)
      assumed.push_back(fmt::format("{} {:.3g} GB/s", name(rate), figure.value / model::giga));
    if (figure.source.starts_with(supposed))
      note(fmt::format("{} {:.3g} GB/s is supposed, not stated ({})", name(rate),
                       figure.value / model::giga, figure.source.substr(supposed.size())));
  }
  if (!usual.costs.empty()) assumed.push_back("all costs of allocation and pages");
  if (!usual.assumed.empty())
    note(fmt::format("assumed, since its description does not say: {}. They are of {}",
                     fmt::join(assumed, ", "), usual.assumed));
  if (usual.translation && usual.translation->ats())
    note(fmt::format("memory mode {}{}", usual.translation->gpu_node ? "numa" : "driver (CDMM)",
                     machine.parameters.contains("memory_mode")
                         ? ""
                         : " (assumed: it gives no parameters.memory_mode)"));
  if (!usual.host_threads) note("16 host threads are assumed: it gives no host_cores");
}

/// A machine with its runs in all memories, kind by kind.
struct Machine {
  const MachineDescription& description;
  Ends rates;
  std::vector<PredictedRun> runs = {};
};

/// Predicts its runs: the first kind of step in all memories, other kinds in the memory where that
/// is the fastest, and streamed sweeps in host memory.
void predict_runs(Machine& machine, const std::vector<Work>& works, const PredictedTask& task) {
  const auto add = [&](const Work& work, MemorySpace space) {
    machine.runs.emplace_back(work, model::Placement{space, task.filled_by_host, task.prefetch},
                              machine.rates);
  };
  for (const MemorySpace space : all_memory_spaces) add(works.front(), space);
  const MemorySpace fastest =
      std::ranges::min_element(machine.runs, {}, &PredictedRun::seconds_of_steps)->space();
  for (std::size_t n = 1; n < works.size(); ++n)
    add(works[n], works[n].fused == streamed_sweeps ? MemorySpace::HostPinned : fastest);
}

/// Adds its runs, and says what is not among them.
void add_runs(const Machine& machine, bool steps_alone, Predictions& out) {
  const std::string& name = machine.description.name;
  const std::size_t before = out.runs.size();
  std::set<std::string> missing;
  for (const PredictedRun& run : machine.runs) {
    const auto left_out = [&](const std::string& why) {
      if (&run.work() == &machine.runs.front().work())  // other kinds lack the same
        out.left_out.push_back(fmt::format("{}, {}: {}", name, memstencil::name(run.space()), why));
    };
    if (!run.has_steps())
      left_out(run.why_not());
    else if (steps_alone || run.has_wall_time())
      out.runs.push_back(run.as_run(machine.description, steps_alone));
    else
      left_out(fmt::format("not predicted without {}", fmt::join(run.missing(), "; ")));
    if (run.has_steps()) missing.merge(run.missing());
  }
  if (out.runs.size() == before)  // a side nevertheless
    out.runs.push_back({.file = "",
                        .folder = "",
                        .program = "membench",
                        .record = {{"machine", {{"hostname", name}}}},
                        .side = name});
  if (steps_alone && !missing.empty())
    out.notes.push_back(
        fmt::format("{}: wall times need {}: --assume FILE.toml gives such figures.", name,
                    fmt::join(missing, "; ")));
}

}  // namespace

Predictions predictions_of(const PredictedTask& task,
                           const std::vector<MachineDescription>& machines) {
  const std::vector<Work> works = works_of(task);
  std::deque<Machine> all;  // runs refer to their machine's rates
  for (const MachineDescription& description : machines) {
    Machine& machine = all.emplace_back(description, model::ends_of(description, task.assumed));
    predict_runs(machine, works, task);
  }
  const bool steps_alone = std::ranges::any_of(all, [](const Machine& machine) {
    return std::ranges::any_of(machine.runs, &PredictedRun::has_steps) &&
           std::ranges::none_of(machine.runs, &PredictedRun::has_wall_time);
  });
  Predictions out{.about = {{"unit", works.front().unit}, {"steps_alone", steps_alone}}};
  out.notes.push_back(fmt::format(
      "A range: a data sheet's bandwidth counts {:g} to {:g} of itself, a measured one its spread "
      "or {:g} %, an assumed figure half to {:g} times itself. docs/model.md has how many kept "
      "runs of an H100 and an H200 lie in theirs.",
      model::reached_of_theory[2], model::reached_of_theory[1], 100 * model::spread_of_measured,
      model::factor_of_assumed));
  for (const Machine& machine : all) {
    add_runs(machine, steps_alone, out);
    add_notes(machine.description, machine.rates, out.notes);
    if (const auto& missing = machine.description.missing; !missing.empty())
      out.unpublished.push_back(fmt::format("{}: published nowhere that was read: {}.",
                                            machine.description.name, fmt::join(missing, "; ")));
    if (!task.nodes) continue;
    const model::GridCase one = grid_of(task, works.front().fused);
    std::vector<int> kinds{one.fused};
    if (!task.fused && one.stencil.most_fused >= 3) kinds.push_back(3);
    for (const Record& row :
         predicted_scaling(one, kinds, *task.nodes, machine.description, machine.rates, out.notes))
      out.scaling.push_back(row);
  }
  return out;
}

}  // namespace memstencil::compare
