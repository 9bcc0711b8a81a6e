// Predictions for machines that are only described: each kind of step in the memories of each
// machine, as a record that its program would have written.
#include "app/compare/predict/predictions.hpp"

#include "app/base/record/text_report.hpp"

#include <limits>

namespace memstencil::compare {

namespace {

using model::Ends;
using model::MachineRates;
using model::Prediction;

/// Sweeps a pass by which himeno is about the fastest over a link (docs/lab/streamed-sweeps.md).
constexpr int streamed_sweeps = 96;
/// Points of a series that stand in a record: the first step, where pages move, and even ones.
constexpr std::int64_t most_recorded = 400;

/// The task's members of a record. @throws Failure(Usage) with the words of himeno
Record record_of(const PredictedTask& task) {
  const Application& of = *task.application;
  const std::string size = task.size.empty() ? of.size : task.size;
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  Record record{{"program", of.program}, {"iterations", task.iterations.value_or(of.steps)}};
  try {
    if (of.is_grid()) {
      const Triple extents = parse_size(size);
      record.update({{"size", size_name(extents)}, {"extents", extents}, {"ranks", {1, 1, 1}}});
      return record;
    }
    const bool square = size.find('x') == size.npos;
    const Triple shape = parse_triple(size + (square ? "x" + size : "") + "x1", 1, most);
    record.update({{"size", fmt::format("{}x{}", shape[0], shape[1])},
                   {"rows", shape[0]},
                   {"columns", shape[1]},
                   {"type", "float"},
                   {"ranks", 1},
                   {"variants", {{{"name", "portable"}}}}});
    return record;
  } catch (const std::invalid_argument& none) {
    const std::string why =
        fmt::format("'{}' is not a size: valid are N and ROWSxCOLUMNS, 1 to {}", size, most);
    throw Failure(ExitCode::Usage, "--size: " + (of.is_grid() ? none.what() : why));
  }
}

/// A record for each kind of step, the simplest first.
/// @throws Failure(Usage) as himeno does for fewer sweeps than a pass makes
std::vector<Record> kinds_of(const PredictedTask& task) {
  Record record = record_of(task);
  const std::int64_t steps = record.at("iterations");
  if (!task.application->is_grid()) return std::vector{record};
  const int most_fused = task.application->most_fused;
  if (task.fused > steps)
    throw Failure(ExitCode::Usage,
                  fmt::format("--sweep temporal:{0} makes {0} sweeps a pass: --iterations {1} are "
                              "fewer",
                              *task.fused, steps));
  if (task.nodes && task.fused > most_fused)
    throw Failure(
        ExitCode::Usage,
        fmt::format("--sweep temporal:{}: scaling is predicted of arrays in device memory, "
                    "which has single and temporal:2 to temporal:{}",
                    *task.fused, most_fused));
  std::vector<int> passes{1, 2, 3, 4, streamed_sweeps};
  if (task.fused || most_fused == 1) passes = {static_cast<int>(task.fused.value_or(1))};
  std::vector<Record> kinds;
  for (const int fused : passes) {
    record["sweep"] = model::sweep_name(fused);
    if (fused <= steps) kinds.push_back(record);
  }
  return kinds;
}

/// A kind of step in a memory of a machine.
struct PredictedRun {
  MemorySpace space;
  Record record;                      ///< as the program would have written it before its steps
  int fused;                          ///< sweeps a pass
  std::array<Prediction, 3> at = {};  ///< by End
  std::string why_not = {};           ///< it cannot run there, or a figure of its steps is missing

  const Prediction& usual() const { return at.front(); }
  bool has_wall_time() const { return why_not.empty() && usual().missing().empty(); }
  double seconds_of_steps() const {
    return why_not.empty() ? usual().steps.sum().total() : std::numeric_limits<double>::infinity();
  }
};

/// The kind of bandwidth that bounds the steps, and its rate.
std::array<const char*, 2> limit_of(const Record& record, const MachineRates& rates) {
  if (access_path(placement_of(record), rates.gpu_translation()) != model::AccessPath::Link)
    return {"copy", "device_copy"};
  if (record.contains("sweep")) return {"link", "device_reads_host"};
  return {"link, both ways at once", "link_both_ways"};
}

/// The reason why the machine cannot run it there, or which figure its steps lack; or empty.
std::string refused(const PredictedRun& run, const MachineRates& rates) {
  if (rates.translation && !gpu_reaches(run.space, *rates.translation))
    return fmt::format(
        "not served: address translation is \"{}\", so the GPU does not reach memory "
        "of malloc",
        rates.translation->kind);
  auto room = home(run.space) == Home::Gpu ? rates.device_bytes : rates.host_bytes;
  if (home(run.space) == Home::Migrates && room) *room += rates.device_bytes.value_or(0);
  if (room && run.usual().bytes > *room)
    return fmt::format("does not fit: {} of arrays, room for {}", bytes_text(run.usual().bytes),
                       bytes_text(*room));
  if (run.fused > model::himeno.most_fused && home(run.space) != Home::Host)  // its own words
    return fmt::format(
        "--sweep {}: on the device there are single, temporal:2, temporal:3, temporal:4",
        text(run.record, "sweep"));
  for (const model::Phase& each : run.usual().phases)
    if (each.is_steps() && !each.missing.empty()) return "not predicted without " + each.missing;
  const std::string limit = limit_of(run.record, rates)[1];
  return rates.rates.contains(limit) ? "" : "not predicted without " + limit;
}

PredictedRun predicted_run(const Record& kind, MemorySpace space, const PredictedTask& task,
                           const Ends& rates) {
  PredictedRun run{space, kind, fused_of(text_or(kind, "sweep", "single")).value()};
  run.record.update({{"exec", "device"},
                     {"memspace", {{"requested", name(space)}, {"effective", name(space)}}},
                     {"first_touch", name(task.first_touch.value_or(Executor::Host))},
                     {"options", {{"prefetch", task.prefetch && home(space) == Home::Migrates}}},
                     {"execution", {{"host_threads", rates[0].host_threads.value_or(16)}}}});
  for (const model::End end : {model::Usual, model::Fast, model::Slow})
    run.at[end] = predict_run(run.record, rates[end]);
  run.why_not = refused(run, rates[0]);
  return run;
}

std::vector<double> series_of(const model::Steps& steps) {
  const std::int64_t all = steps.size(), kept = std::min(all, most_recorded);
  std::vector<double> series;
  for (std::int64_t n = 0; n < kept; ++n)
    series.push_back(steps[kept == all ? n : n * (all - 1) / (kept - 1)].total());
  return series;
}

/// {least_seconds, most_seconds, assumed, causes, steps, steps_alone}
Record range_of(const PredictedRun& run, const MachineRates& rates, bool steps_alone) {
  constexpr double counts = 0.01;
  const auto time_of = [&](const Prediction& of) {
    return steps_alone ? of.steps.sum() : of.time();
  };
  const model::TimeByCause time = time_of(run.usual());
  std::vector<std::string> assumed;
  for (const auto& [figure, dear] : each_dearer(rates, model::factor_of_assumed))
    if (time_of(predict_run(run.record, dear)).total() >= (1 + counts) * time.total())
      assumed.push_back(figure);
  const auto [least, most] =
      std::minmax({time.total(), time_of(run.at[1]).total(), time_of(run.at[2]).total()});
  Record causes = Record::object();
  for (const model::Cause cause : model::all_causes) causes[name(cause)] = time[cause];
  return {{"least_seconds", least},
          {"most_seconds", most},
          {"assumed", assumed},
          {"causes", causes},
          {"steps", run.usual().steps.size()},
          {"steps_alone", steps_alone}};
}

/// As the program would have recorded it on this machine.
/// @param steps_alone the other phases take no time
Run as_run(const PredictedRun& run, const MachineDescription& machine, const MachineRates& rates,
           bool steps_alone) {
  Record record = run.record;
  const bool sweeps = record.contains("sweep");
  const auto [limit, rate] = limit_of(record, rates);
  double moved = run.usual().bytes, amount = 1e-9 * moved;  // bytes; 10^9 of them, or operations
  if (sweeps) {
    const model::GridCase grid = grid_case_of(record);
    moved = grid.points() * grid.stencil.near_bytes();
    amount = 1e-9 * grid.flops();
  }
  const double steps = number(record, "iterations"), seconds = run.seconds_of_steps();
  const double speed = amount * steps / seconds, bandwidth = moved * steps / seconds;
  const double fraction = bandwidth / rates[rate];
  record.update(
      {{"limit", {{"kind", limit}, {"gbs", rates[rate] / model::giga}, {"fraction", fraction}}},
       {"prediction", range_of(run, rates, steps_alone)},
       {"machine", {{"hostname", machine.name}, {"gpu", {{"name", machine.gpu}}}}}});
  if (rates.device_bytes) record["machine"]["gpu"]["memory_bytes"] = *rates.device_bytes;
  for (const model::Phase& each : run.usual().phases)
    record["phases"][each.name] = steps_alone && !each.is_steps() ? 0 : each.time.total();
  if (sweeps) {
    record["sweeps"]["seconds"] = series_of(run.usual().steps);
    record["mflops"] = 1e3 * speed;
    record["bandwidth_gbs"] = bandwidth / model::giga;
  } else {
    record["variants"][0].update({{"seconds", series_of(run.usual().steps)},
                                  {"gbs", {{"median", speed}}},
                                  {"fraction", fraction}});
  }
  return {.file = "the description of " + machine.name,
          .folder = "",
          .program = text(record, "program"),
          .record = std::move(record),
          .side = machine.name};
}

/// A machine with its runs: the first kind of step in all memories, other kinds in the memory where
/// that is the fastest, and streamed sweeps in host memory.
struct Machine {
  Machine(const MachineDescription& of, const std::vector<Record>& kinds, const PredictedTask& task)
      : description(of), rates(model::ends_of(of, task.assumed)) {
    const auto add = [&](const Record& kind, MemorySpace space) {
      runs.push_back(predicted_run(kind, space, task, rates));
    };
    for (const MemorySpace space : all_memory_spaces) add(kinds.front(), space);
    const MemorySpace fastest =
        std::ranges::min_element(runs, {}, &PredictedRun::seconds_of_steps)->space;
    for (std::size_t n = 1; n < kinds.size(); ++n)
      add(kinds[n], kinds[n].at("sweep") == model::sweep_name(streamed_sweeps)
                        ? MemorySpace::HostPinned
                        : fastest);
  }

  const MachineDescription& description;
  Ends rates;
  std::vector<PredictedRun> runs = {};
};

/// Adds its runs, and says what is not among them.
void add_runs(const Machine& machine, bool steps_alone, Predictions& out) {
  const std::string& name = machine.description.name;
  const std::size_t before = out.runs.size();
  std::set<std::string> missing;
  for (const PredictedRun& run : machine.runs) {
    std::string why = run.why_not;
    if (why.empty()) missing.merge(run.usual().missing());
    if (why.empty() && !steps_alone && !run.has_wall_time())
      why = "not predicted without " + run.usual().why_not();
    if (why.empty())
      out.runs.push_back(as_run(run, machine.description, machine.rates[0], steps_alone));
    else if (run.fused == machine.runs.front().fused)  // other kinds lack the same
      out.left_out.push_back(fmt::format("{}, {}: {}", name, memstencil::name(run.space), why));
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
  const std::vector<Record> kinds = kinds_of(task);
  std::vector<Machine> all;
  for (const MachineDescription& description : machines) all.emplace_back(description, kinds, task);
  const bool steps_alone = std::ranges::any_of(all, [](const Machine& machine) {
    return std::ranges::any_of(machine.runs, &std::string::empty, &PredictedRun::why_not) &&
           std::ranges::none_of(machine.runs, &PredictedRun::has_wall_time);
  });
  Predictions out{.about = {{"unit", task.application->is_grid() ? "GFLOPS" : "GB/s"},
                            {"steps_alone", steps_alone}}};
  out.notes.push_back(fmt::format(
      "A range: a data sheet's bandwidth counts {:g} to {:g} of itself, a measured one its spread "
      "or {:g} %, an assumed figure half to {:g} times itself. docs/model.md has how many kept "
      "runs of an H100 and an H200 lie in theirs.",
      model::reached_of_theory[2], model::reached_of_theory[1], 100 * model::spread_of_measured,
      model::factor_of_assumed));
  for (const Machine& machine : all) {
    add_runs(machine, steps_alone, out);
    for (const std::string& note : notes_on(machine.description, machine.rates))
      out.notes.push_back(machine.description.name + ": " + note + ".");
    if (const auto& missing = machine.description.missing; !missing.empty())
      out.unpublished.push_back(fmt::format("{}: published nowhere that was read: {}.",
                                            machine.description.name, fmt::join(missing, "; ")));
    if (!task.nodes) continue;
    std::vector<int> passes{machine.runs.front().fused};
    if (!task.fused && task.application->most_fused >= 3) passes.push_back(3);
    for (const Record& row :
         predicted_scaling(grid_case_of(machine.runs.front().record), passes, *task.nodes,
                           machine.description, machine.rates, out.notes))
      out.scaling.push_back(row);
  }
  return out;
}

}  // namespace memstencil::compare
