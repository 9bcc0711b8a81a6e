// membench's command line: the probe, its axes as asked for, and how to sample.
#include "app/base/cli/numbers.hpp"
#include "app/membench/core/program.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <map>
#include <stdexcept>

namespace memstencil::membench {

namespace {

/// "512MB" (10^6 bytes), "4GiB" or "4gib" (2^30 bytes), "1G", "4096".
/// @throws std::invalid_argument that names the valid values
double parse_bytes(std::string_view text, std::int64_t least, std::int64_t most) {
  static const std::map<std::string, std::int64_t> units{
      {"", 1},     {"k", 1000}, {"m", 1000'000}, {"g", 1000'000'000}, {"t", 1000'000'000'000},
      {"ki", kib}, {"mi", mib}, {"gi", gib},     {"ti", kib * gib}};
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  std::string unit = lower_case(text.substr(digits));
  if (unit.ends_with('b')) unit.pop_back();
  try {
    const std::int64_t size = units.at(unit);
    const std::int64_t bytes = parse_integer(text.substr(0, digits), 0, most / size) * size;
    if (bytes >= least) return static_cast<double>(bytes);
  } catch (const std::logic_error&) {  // no unit or no integer
  }
  throw std::invalid_argument(
      fmt::format("'{}': valid are bytes from {} to {}, also with kB, MB, GB, TB, KiB, MiB, GiB "
                  "or TiB",
                  text, least, most));
}

/// @throws std::invalid_argument
Value value_of(const Axis& axis, const std::string& text) {
  if (axis.most > 0) {
    const auto least = std::llround(axis.least), most = std::llround(axis.most);
    return axis.bytes ? parse_bytes(text, least, most)
                      : static_cast<double>(parse_integer(text, least, most));
  }
  std::vector<std::string> valid;
  for (const Value& value : listed_values(axis)) {
    valid.push_back(text_of(value));
    if (lower_case(valid.back()) == lower_case(text)) return value;
  }
  throw std::invalid_argument(
      fmt::format("'{}': valid are {}{}", text, fmt::join(valid, ", "), did_you_mean(text, valid)));
}

/// Applies these values, each once, to every probe that can take them; the others get a note.
/// @param line the command line, which wins over its input file; nullptr: there is no file
/// @param given the axes of the options before, and whether the file gave them
void apply(const std::string& option, const CommandLine* line, const std::string& axis_typed,
           const std::vector<std::string>& texts, std::map<std::string, bool>& given,
           std::vector<Chosen>& chosen) {
  const std::string name = lower_case(axis_typed);
  const bool by_file = line != nullptr && line->where(option) != option;
  const auto [before, first] = given.emplace(name, by_file);
  if (!first && by_file && !before->second) return;
  if (!first && by_file == before->second)
    throw Failure(ExitCode::Usage, fmt::format("{}: axis {} is given twice", option, name));
  std::string why;  // no probe with this axis takes the values
  std::vector<std::string> all;
  bool taken = false;
  for (Chosen& each : chosen)
    for (Axis& axis : each.axes) {
      if (!std::ranges::count(all, axis.name)) all.push_back(axis.name);
      if (axis.name != name) continue;
      try {
        std::vector<Value> values;
        for (const std::string& text : texts)
          if (const Value value = value_of(axis, text); !std::ranges::count(values, value))
            values.push_back(value);
        axis.values = values;
        taken = true;
      } catch (const std::invalid_argument& invalid) {
        why = invalid.what();
        each.notes.push_back(fmt::format("{} leaves axis {} as it is: {}", option, name, why));
      }
    }
  if (taken) return;
  if (why.empty())
    why = fmt::format("no axis {} in {}; valid are {}{}", name,
                      chosen.size() > 1 ? "any probe" : chosen[0].probe->name, fmt::join(all, ", "),
                      did_you_mean(name, all));
  throw Failure(ExitCode::Usage, fmt::format("{}: {}", option, why));
}

}  // namespace

void Membench::declare(CommandLine& line, membench::Options& o) {
  constexpr int most = 1'000'000;
  o.line = &line;
  line.subject("Problem");
  line.text("probe", o.probe,
            "Probe to run; all: every one; list: print what each measures, and end")
      ->type_name("PROBE|all|list")
      ->expected(1);
  line.flag("--paper", o.setup.paper,
            "Take the sizes and counts of the paper that a probe comes from: some "
            "then take many minutes");
  line.texts("--axis", o.axes,
             "Values of an axis that are measured, as direction=HtoD,DtoH; once for each axis "
             "(default: the probe's own). membench list shows axes and values")
      ->type_name("NAME=VALUE,...");
  line.text("--size", o.size, "Bytes of an array, as 512MB or 4GiB: short for --axis bytes=BYTES");
  line.text("--memspace", o.memspace,
            "Memory of arrays whose pages move, managed or system: short for --axis memory=NAME");
  line.text("--content", o.setup.content,
            "File whose bytes the arrays of the probe copy repeat: short for --axis content=file. "
            "Shows the gain of the GPU's compression of memory for them");
  line.integer("--gpu", o.gpu, 0, 1023, "Index of the GPU that is measured (default: 0)");
  line.integer("--numa", o.numa, 0, 1023,
               "NUMA node that the host's memory is taken from (default: as the system places it)");
  line.subject("Samples");
  CLI::Option* const repeat =
      line.integer("--repeat", o.setup.repeats, 1, most,
                   "Number of samples of each point (default: until the 95 % interval of their "
                   "mean is within 5 % on either side)");
  // The name of before, in older scripts and in the record.
  line.integer("--repeats", o.setup.repeats, 1, most, "")->group("")->excludes(repeat);
  line.integer("--experiments", o.setup.experiments, 1, most,
               "Number of allocations, each with its own samples (default: the probe's own)");
  line.example(
      "membench link --size 1GiB --output result.h5",
      "the bandwidth of the link between host and GPU, written into a file for memcompare");
}

std::vector<Chosen> chosen_probes(const Options& options) {
  const std::string& name = options.probe;
  std::vector<Chosen> chosen;
  std::vector<std::string> valid;
  for (const Probe& probe : probes()) {
    valid.push_back(probe.name);
    if (name == "all" || name == probe.name)
      chosen.push_back({&probe, probe.axes(options.setup.paper)});
  }
  valid.insert(valid.end(), {"all", "list"});
  if (chosen.empty())
    throw Failure(ExitCode::Usage,
                  fmt::format("{}; valid are {}",
                              name.empty() ? "a probe is missing"
                                           : fmt::format("'{}' is no probe{}", name,
                                                         did_you_mean(name, valid)),
                              fmt::join(valid, ", ")));
  std::map<std::string, bool> given;
  for (const std::string& text : options.axes) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
      throw Failure(ExitCode::Usage,
                    fmt::format("--axis: '{}': valid is NAME=VALUE or NAME=VALUE,VALUE", text));
    apply("--axis", options.line, text.substr(0, equals), split(text.substr(equals + 1), ','),
          given, chosen);
  }
  if (!options.size.empty()) apply("--size", options.line, "bytes", {options.size}, given, chosen);
  if (!options.memspace.empty())
    apply("--memspace", options.line, "memory", {options.memspace}, given, chosen);
  if (const std::string& file = options.setup.content; !file.empty()) {
    if (!std::ifstream(file))
      throw Failure(ExitCode::Usage, fmt::format("--content {}: it cannot be read", file));
    apply("--content", options.line, "content", {"file"}, given, chosen);
  }
  return chosen;
}

}  // namespace memstencil::membench
