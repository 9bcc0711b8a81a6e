// membench as a whole: command line, refusals, the chosen probes one after the other, report.
#include "app/membench/core/program.hpp"

#include "app/base/machine/machine_facts.hpp"
#include "app/base/machine/report_head.hpp"
#include "app/base/ranks/collectively.hpp"
#include "app/base/record/text_report.hpp"
#include "app/membench/core/memory.hpp"
#include "kernels/elapsed.hpp"
#include "memory_spaces/capabilities.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <ranges>
#include <set>
#include <stop_token>
#include <thread>

namespace memstencil::membench {

namespace {

/// More rows of one kind are not read but plotted: --verbose shows them.
constexpr std::size_t most_rows = 400;

std::string cell_text(const std::string& column, const Value& value) {
  const auto* number = std::get_if<double>(&value);
  if (number == nullptr) return std::get<std::string>(value);
  if (column == "half_width") return fmt::format("{:.1f} %", 100 * *number);
  return *number == std::floor(*number) ? fmt::format("{:.0f}", *number)
                                        : fmt::format("{:.5g}", *number);
}

/// Rows with the same columns, as a table.
std::string table_text(const std::vector<const Row*>& rows) {
  std::vector<std::string> lines(rows.size() + 1, "  ");
  for (const auto& [column, value] : rows.front()->cells) {
    if (column == "counted_bytes") continue;  // gbs times seconds
    const std::string unit = unit_of(column);
    std::vector<std::string> cells{unit.empty() ? column : fmt::format("{} ({})", column, unit)};
    for (const Row* row : rows) cells.push_back(cell_text(column, *row->find(column)));
    const std::size_t width = std::ranges::max(cells, {}, &std::string::size).size();
    for (std::size_t n = 0; n < cells.size(); ++n)
      lines[n] += std::holds_alternative<double>(value) ? fmt::format("{:>{}}  ", cells[n], width)
                                                        : fmt::format("{:<{}}  ", cells[n], width);
  }
  std::string out;
  for (const std::string& line : lines)
    out += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  return out;
}

std::string probe_text(const ProbeRecord& p, bool verbose) {
  std::string out = fmt::format("{}: {}\n", p.probe->name, p.probe->summary);
  if (p.skipped) return out + "  skipped: " + *p.skipped + "\n";
  out += fmt::format("  from {}\n  counted: {}; verified; {}\n", p.probe->source, p.probe->counted,
                     seconds_text(p.seconds));
  for (const auto& kind : rows_by_columns(p.rows))
    out += verbose || kind.size() <= most_rows
               ? table_text(kind)
               : fmt::format("  {} rows of {} (--verbose, JSON and HDF5 have them)\n", kind.size(),
                             fmt::join(kind.front()->cells | std::views::keys, ", "));
  if (p.gpu && p.gpu->held_down)
    for (const auto& [reason, share] : *p.gpu->held_down)
      out += fmt::format("  clocks: held down by {} in {:.0f} % of {} looks\n", reason, 100 * share,
                         p.gpu->looks);
  for (const std::string& note : p.notes) out += "  note: " + wrapped(note, 92, 8) + "\n";
  return out;
}

/// The axes with their values that have a point on this machine.
std::vector<Axis> axes_here(const Probe& probe) {
  std::vector<Axis> axes = probe.axes(false);
  if (probe.is_there == nullptr) return axes;  // every combination of many values
  const std::vector<Row> points = probe.points(axes);
  if (points.empty()) return axes;
  for (Axis& axis : axes)
    std::erase_if(axis.values, [&](const Value& value) {
      return std::ranges::none_of(
          points, [&](const Row& point) { return *point.find(axis.name) == value; });
    });
  return axes;
}

std::string axis_text(const Axis& axis) {
  std::vector<std::string> values;
  for (const Value& value : axis.values) values.push_back(text_of(value));
  for (const Value& value : axis.more) values.push_back("(" + text_of(value) + ")");
  if (values.size() > 12 && std::holds_alternative<double>(axis.values[0]))
    return fmt::format("{}={} to {}", axis.name, values[0], values.back());
  return fmt::format("{}={}", axis.name, fmt::join(values, ","));
}

/// Refuses choices that are wrong on any machine.
void check(const std::vector<Chosen>& chosen, const Communicator& communicator) {
  for (const Chosen& each : chosen)
    if (communicator.size() > 1 && each.probe->needs != Needs::Ranks)
      throw Failure(ExitCode::Usage,
                    fmt::format("{} measures one process: start it without mpirun; of the probes "
                                "exchange alone is for several ranks",
                                each.probe->name));
  if (chosen.size() > 1) return;
  if (const std::string why = why_not(*chosen[0].probe, &communicator); !why.empty())
    throw Failure(ExitCode::Machine, fmt::format("{}: {}", chosen[0].probe->name, why));
}

/// Notes on settings of the site that change how fast a GPU reads the memories in the rows.
void add_machine_notes(const MachineFacts& machine, ProbeRecord& probe) {
  std::set<MemorySpace> spaces;
  for (const Row& row : probe.rows)
    if (row.text("memory").starts_with("pageable"))  // so link names it
      spaces.insert(MemorySpace::SystemAllocated);
    else if (const auto space = memory_space_from_name(row.text("memory")))
      spaces.insert(*space);
  for (const auto& [what, text, notable] : memory_lines(machine, spaces))
    probe.notes.push_back(what == "note" ? text : what + ": " + text);
}

std::vector<ProbeRecord> run_all(const std::vector<Chosen>& chosen, const Setup& setup, bool shows,
                                 const MachineFacts& machine) {
  std::vector<ProbeRecord> records;
  for (const Chosen& each : chosen) {
    if (shows)  // all take minutes
      fmt::print(stderr, "membench: probe {} of {}, {}\n", records.size() + 1, chosen.size(),
                 each.probe->name);
    records.push_back(run_probe(each, setup, machine));
  }
  if (chosen.size() == 1 && records[0].skipped)
    throw CollectiveFailure(ExitCode::Machine,
                            fmt::format("{}: {}", chosen[0].probe->name, *records[0].skipped));
  return records;
}

}  // namespace

std::string text_report(const Result& result, bool verbose) {
  std::string out = aligned_lines(banner("membench", result.machine, result.provenance));
  for (const ProbeRecord& probe : result.probes)
    if (!probe.skipped || verbose) out += "\n" + probe_text(probe, verbose);
  return out;
}

std::string why_not(const Probe& probe, const Communicator* ranks) {
  std::string no_gpu;
  const int gpus = gpu_count(&no_gpu);
  if (probe.needs == Needs::Ranks && (ranks == nullptr || ranks->size() == 1))
    return "it measures messages between ranks: start it alone, by mpirun -np 2 or more";
  if (probe.start == nullptr)
    return "it is native CUDA, and this program is built without it (--preset cuda)";
  if (probe.needs == Needs::Gpu)
    return gpus > 0 ? support(MemorySpace::Managed, Executor::Device).reason
                    : "it measures what pages do between a host and a GPU: " + no_gpu;
  if (gpus == 0 && (built_for_gpu() || probe.needs == Needs::Cuda || probe.needs == Needs::Gpus))
    return no_gpu;
  return probe.needs == Needs::Gpus && gpus < 2 ? "it needs two GPUs, and one answers" : "";
}

GpuCourse course_during(const std::function<void()>& work, const std::function<GpuMoment()>& look,
                        std::chrono::milliseconds period) {
  std::vector<GpuMoment> moments;
  {
    const std::jthread thread([&](const std::stop_token& end) {
      std::mutex mutex;
      std::unique_lock lock(mutex);
      do {
        moments.push_back(look());
      } while (!std::condition_variable_any().wait_for(lock, end, period,
                                                       [&end] { return end.stop_requested(); }));
    });
    work();
  }  // waits for the thread
  return course_of(moments);
}

ProbeRecord run_probe(const Chosen& chosen, const Setup& setup, const MachineFacts& machine) {
  const Probe& probe = *chosen.probe;
  ProbeRecord record;
  record.probe = &probe;
  for (const Axis& axis : chosen.axes) record.axes.push_back(axis.name);
  if (const std::string why = why_not(probe, setup.ranks); !why.empty()) {
    record.skipped = why;
    return record;
  }
  const auto run = [&] {
    try {
      static_cast<Table&>(record) = measure(probe, chosen.axes, setup);
      record.notes.insert(record.notes.end(), chosen.notes.begin(), chosen.notes.end());
    } catch (const CollectiveFailure& failure) {
      if (failure.code() != ExitCode::Machine)
        throw CollectiveFailure(failure.code(), fmt::format("{}: {}", probe.name, failure.what()));
      record.skipped = failure.what();
    } catch (...) {
      const Failure failure = as_failure(std::current_exception());
      // One rank of several cannot skip a point that the others measure.
      if (failure.code() != ExitCode::Machine || probe.needs == Needs::Ranks)
        throw Failure(failure.code(), fmt::format("{}: {}", probe.name, failure.what()));
      record.skipped = failure.what();
    }
  };
  record.seconds = host_seconds([&] {
    const Nvml nvml(gpu_facts().uuid);
    if (nvml.refused().empty())
      record.gpu = course_during(run, [&] { return nvml.moment(); });
    else
      run();
  });
  add_machine_notes(machine, record);
  return record;
}

std::string Membench::list(const CommonOptions& common) {
  Record list = Record::array();
  std::string text;
  const auto add = [&text](const std::string& name, const std::string& line) {
    text += fmt::format("{:<10} {}\n", name, wrapped(line, 89, 11));
  };
  for (const Probe& probe : probes()) {
    std::vector<std::string> axes;
    for (const Axis& axis : axes_here(probe)) axes.push_back(axis_text(axis));
    const std::string all_axes = fmt::format("{}", fmt::join(axes, "; "));
    const std::string why = why_not(probe, nullptr);
    list.push_back({{"name", probe.name},
                    {"summary", probe.summary},
                    {"source", probe.source},
                    {"counted", probe.counted},
                    {"axes", all_axes},
                    {"refused", why.empty() ? Record() : Record(why)}});
    if (!why.empty() && !common.verbose) continue;
    add(probe.name, probe.summary + " (" + probe.source + "); counted: " + probe.counted);
    add("", why.empty() ? "axes: " + all_axes : "not here: " + why);
  }
  add("",
      "(values) are measured if asked for; --verbose lists what cannot run here, too; [names] of "
      "sources: docs/bibliography.md; methods: docs/probes/");
  return common.format == Format::Text ? text : to_json({{"probes", list}});
}

void Membench::check(const membench::Options& o, const CommonOptions&) {
  const Setup& setup = o.setup;
  const bool measures = setup.paper || setup.repeats || setup.experiments || o.numa;
  if (o.probe == "list" && (measures || !(o.size + o.memspace).empty() || !o.axes.empty()))
    throw CollectiveFailure(
        ExitCode::Usage, "list measures nothing: of the options of a probe it takes --gpu alone");
}

Membench::Plan Membench::plan(const Options& options, const Machine&,
                              const Communicator& communicator) {
  Plan plan{.options = options, .chosen = {}};
  plan.options.setup.ranks = &communicator;
  collectively(communicator, [&] {
    plan.chosen = chosen_probes(options);
    membench::check(plan.chosen, communicator);
    if (options.numa) take_memory_from_node(*options.numa);
  });
  return plan;
}

void Membench::run(const Plan& plan, const Machine&, const Session& session) {
  const CommonOptions& common = session.line.common();
  Result result;
  result.probe = plan.options.probe;
  result.machine = facts(session.communicator);
  result.execution = execution_of(Executor::Host);
  result.probes = run_all(plan.chosen, plan.options.setup,
                          !session.quiet() && isatty(STDERR_FILENO) == 1, result.machine);
  complete(session, result);
  result.options.erase("repeat");  // it is `repeats` there
  const Record record = to_record(result), json = printed(result, record);
  deliver(session.communicator, common, {record, text_report(result, common.verbose), &json},
          name_in_folder({name, result.probe, plan.options.memspace}, result.provenance));
}

}  // namespace memstencil::membench
