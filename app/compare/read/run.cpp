// The runs of result files and of folders, and the rows of probes.
#include "app/compare/read/run.hpp"

#include "app/base/record/results_file.hpp"
#include "app/base/record/text_report.hpp"
#include "app/compare/read/sample.hpp"
#include "app/membench/core/result_record.hpp"

#include <fmt/ranges.h>

#include <filesystem>
#include <functional>
#include <iterator>
#include <limits>
#include <string_view>

namespace memstencil::compare {

namespace {

namespace fs = std::filesystem;

/// All in and below the folder, in the order of their names, which are those of program, case and
/// time; hidden ones and lost+found are passed over.
std::vector<std::string> results_below(const fs::path& folder) {
  std::vector<std::string> files;
  std::error_code error, none;
  fs::path at = folder;
  for (fs::recursive_directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    at = entry->path();
    const std::string name = at.filename();
    if (name.starts_with('.') || name == "lost+found")
      entry.disable_recursion_pending();
    else if (at.extension() == ".h5" && !entry->is_directory(none))
      files.push_back(at);
  }
  if (error)
    throw Failure(ExitCode::Other, fmt::format("cannot read {}: {}", at.string(), error.message()));
  std::ranges::sort(files);
  return files;
}

/// The least and the most of numbers whose path ends in one of these words, or begins so.
struct Range {
  std::vector<std::string_view> words;
  double least, most = std::numeric_limits<double>::infinity();

  bool is_of(std::string_view path) const {
    return std::ranges::any_of(words, [&](std::string_view each) {
      return each.ends_with('.') ? path.starts_with(each) : path.ends_with(each);
    });
  }
};
const Range ranges[]{{{"phases.", "seconds", "bytes", "gbs", "mflops", "joules"}, 0},
                     {{"limit.fraction", "of_copy"}, 1e-9},
                     {{"extents", "rows", "columns"}, 1, std::numeric_limits<std::int32_t>::max()},
                     {{"ranks"}, 1, 1e5},
                     {{"iterations", "options.repeat", "options.repeats", "host_threads"}, 1, 1e9},
                     {{"multiprocessors"}, 1, 1e6}};

/// Refuses the first number outside its range; all numbers of an array have one.
/// @throws Failure(Other)
void require_in_range(const Record& value, const std::string& path, const Range* range) {
  if (value.is_number() && range != std::end(ranges))
    if (const auto number = value.get<double>(); !(number >= range->least && number <= range->most))
      throw Failure(ExitCode::Other, fmt::format("'{}' is {}: valid is {:.10g} to {:.10g}", path,
                                                 value.dump(), range->least, range->most));
  if (value.is_array())
    for (const Record& item : value) require_in_range(item, path, range);
  if (!value.is_object()) return;
  for (const auto& [key, item] : value.items()) {
    const std::string inner = path.empty() ? key : path + "." + key;
    const auto lies = [&inner](const Range& each) { return each.is_of(inner); };
    require_in_range(item, inner, std::ranges::find_if(ranges, lies));
  }
}

/// The first of these that a row has stands for it.
constexpr std::array figures{"gbs",    "sum_gbs",     "per_second", "per_clock", "cycles",  "ns",
                             "hidden", "ns_per_byte", "C1",         "seconds",   "slowdown"};

std::string written(const std::string& name, const membench::Value& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  const double number = std::get<double>(value);
  return name == "bytes" ? bytes_text(number) : name + " " + membench::text_of(value);
}

ProbeRow named(const std::string& probe, const std::set<std::string>& axes, membench::Row row) {
  // A point names a value of every axis; what is derived from several points leaves one out.
  const bool point = !row.samples.empty() ||
                     (!axes.empty() && std::ranges::all_of(axes, [&](const std::string& axis) {
                       return row.has(axis);
                     }));
  ProbeRow out{.probe = probe, .derived = !point, .row = std::move(row)};
  for (const auto& [name, value] : out.row.cells) {
    const bool text = std::holds_alternative<std::string>(value);
    if (name == "stopped" || (!text && axes.count(name) == 0)) continue;
    out.label += (out.label.empty() ? "" : ", ") + written(name, value);
  }
  const auto figure = std::ranges::find_if(figures, [&](const char* each) {
    return out.row.samples.empty() ? out.row.has(each) : out.row.samples.count(each) > 0;
  });
  if (figure == figures.end()) return out;
  out.column = *figure;
  out.value = out.row.has(out.column) ? out.row.number(out.column)
                                      : membench::median(out.row.samples.at(out.column).values);
  return out;
}

}  // namespace

bool fits(const ProbeRow& row, const std::string& probe, const Wanted& wanted) {
  return row.probe == probe && std::ranges::all_of(wanted, [&](const auto& member) {
           return row.row.is(member.first, member.second);
         });
}

const ProbeRow* largest(const std::vector<ProbeRow>& rows, const std::string& probe,
                        const Wanted& wanted) {
  const ProbeRow* found = nullptr;
  for (const ProbeRow& row : rows)
    if (fits(row, probe, wanted) && row.row.has("bytes") &&
        (found == nullptr || row.row.number("bytes") > found->row.number("bytes")))
      found = &row;
  return found;
}

std::optional<double> both_ways_gbs(const std::vector<ProbeRow>& rows) {
  const auto way = [&](const char* direction) {
    return largest(rows, "link",
                   {{"direction", direction}, {"memory", "pinned"}, {"by", "kernel"}});
  };
  const ProbeRow *up = way("HtoD against DtoH"), *down = way("DtoH against HtoD");
  return up != nullptr && down != nullptr ? std::optional(up->value + down->value) : std::nullopt;
}

Record cells_of(const ProbeRow& row) {
  Record cells = Record::object();
  for (const auto& [name, value] : row.row.cells) {
    Record& cell = cells[name];
    std::visit([&](const auto& each) { cell = each; }, value);
  }
  return cells;
}

std::string unit_of_column(const std::string& column) {
  const std::string unit = membench::unit_of(column);
  return unit.empty() ? column : unit;
}

std::vector<ProbeRow> probe_rows(const Record& result) {
  std::vector<ProbeRow> all;
  for (const Record& probe : member(result, "probes")) {
    const Record* blocks = find(probe, "rows");
    if (blocks == nullptr || find(probe, "skipped") != nullptr) continue;
    std::set<std::string> axes;
    if (const Record* names = find(probe, "axes"); names != nullptr)
      for (const Record& each : *names) axes.insert(plain_text(each));
    const std::string name = text(probe, "name");
    for (membench::Row& row : membench::rows_of(*blocks, name))
      all.push_back(named(name, axes, std::move(row)));
  }
  return all;
}

Run read_run(const std::string& file, const std::string& folder, Record record) {
  Run run{file, folder, "", std::move(record)};
  naming(run, [&run] {
    run.program = text(run.record, "program");
    require_finite(run.record);
    require_in_range(run.record, "", std::end(ranges));
    if (const auto known = programs(); !std::ranges::count(known, run.program))
      throw Failure(ExitCode::Other, fmt::format("it is of program '{}'; known are {}", run.program,
                                                 fmt::join(known, ", ")));
    if (text_or(run.record, "verified", "true") != "true")
      throw Failure(ExitCode::Verification, "its result failed verification");
    if (run.program == "membench") run.probe_rows = probe_rows(run.record);
  });
  return run;
}

std::vector<Record> repeats_of(Record result) {
  if (!result.contains("repeats")) return {std::move(result)};
  const Record repeats = std::move(result["repeats"]);
  result.erase("repeats");
  std::vector<Record> all;
  for (const Record& repeat : repeats) all.emplace_back(result).update(repeat);
  return all;
}

std::vector<Run> read_runs(const std::vector<std::string>& named) {
  std::vector<Run> runs;
  std::map<fs::path, std::string> seen;  // files and folders, and in which folder
  // A link next to its file is not new.
  const auto is_new = [&](const std::string& path, const std::string& folder) {
    std::error_code none;
    const auto [first, added] = seen.emplace(fs::weakly_canonical(path, none), folder);
    if (!added && (folder.empty() || first->second != folder))
      throw Failure(ExitCode::Usage, fmt::format("{} is named twice", path));
    return added;
  };
  const auto add = [&](const std::string& file, const std::string& folder,
                       const std::string& side) {
    if (!is_new(file, folder)) return;
    Record result = read_result(file);
    const std::string content = fmt::format("{:x}", std::hash<Record>{}(result));
    int number = 0;
    for (Record& repeat : repeats_of(std::move(result))) {
      Run& run = runs.emplace_back(read_run(file, folder, std::move(repeat)));
      run.side = side;
      run.repeat = ++number;
      run.content = content;
    }
  };
  for (const std::string& argument : named) {
    std::error_code none;
    const std::size_t equals = argument.find('=');
    const bool is_named = equals != argument.npos && !fs::exists(argument, none);
    const std::string side = is_named ? argument.substr(0, equals) : "";
    const std::string path = is_named ? argument.substr(equals + 1) : argument;
    if (is_named && side.empty())
      throw Failure(ExitCode::Usage, fmt::format("'{}': NAME=FOLDER has no name", argument));
    if (!fs::is_directory(path, none)) {
      add(path, "", side);
      continue;
    }
    is_new(path, "");
    const std::vector<std::string> files = results_below(path);
    if (files.empty())
      throw Failure(ExitCode::Other, fmt::format("cannot use {}: no *.h5 lies in it", path));
    for (const std::string& file : files) add(file, path, side);
  }
  return runs;
}

}  // namespace memstencil::compare
