// membench's command line: the probe, its axes as asked for, and how to sample.
#include "app/base/cli/numbers.hpp"
#include "app/membench/core/program.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <stdexcept>

namespace memstencil::membench {

namespace {

/// "512MB" (10^6 bytes), "4GiB" (2^30 bytes), "4096".
/// @throws std::invalid_argument that says what is valid
double parse_bytes(std::string_view text, std::int64_t least, std::int64_t most) {
  static const std::map<std::string_view, std::int64_t> units{{"", 1},
                                                              {"B", 1},
                                                              {"kB", 1000},
                                                              {"MB", 1000'000},
                                                              {"GB", 1000'000'000},
                                                              {"TB", 1000'000'000'000},
                                                              {"KiB", kib},
                                                              {"MiB", mib},
                                                              {"GiB", gib},
                                                              {"TiB", kib * gib}};
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const auto unit = units.find(text.substr(digits));
  try {
    if (unit != units.end()) {
      const std::int64_t bytes =
          parse_integer(text.substr(0, digits), 0, most / unit->second) * unit->second;
      if (bytes >= least) return static_cast<double>(bytes);
    }
  } catch (const std::invalid_argument&) {
  }
  throw std::invalid_argument(
      fmt::format("'{}': valid are bytes from {} to {}, also with kB, MB, GB, TB, KiB, MiB, GiB "
                  "or TiB",
                  text, least, most));
}

/// @throws std::invalid_argument
Value value_of(const Axis& axis, const std::string& text) {
  std::vector<std::string> valid;
  if (axis.most > 0) {
    const auto least = std::llround(axis.least), most = std::llround(axis.most);
    return axis.bytes ? parse_bytes(text, least, most)
                      : static_cast<double>(parse_integer(text, least, most));
  }
  for (const Value& value : listed_values(axis)) {
    if (text_of(value) == text) return value;
    valid.push_back(text_of(value));
  }
  throw std::invalid_argument(fmt::format("'{}': valid are {}", text, fmt::join(valid, ", ")));
}

/// Applies these values, each once, to every probe that can take them, and notes which cannot;
/// `option` is what the user typed, `given` has the axes that came before.
void apply(const std::string& option, const std::string& name,
           const std::vector<std::string>& texts, std::set<std::string>& given,
           std::vector<Chosen>& chosen) {
  if (!given.insert(name).second)
    throw Failure(ExitCode::Usage, fmt::format("{}: axis {} is given twice", option, name));
  std::string why;  // no probe with this axis takes the values
  bool taken = false;
  for (Chosen& each : chosen)
    for (Axis& axis : each.axes) {
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
  if (why.empty() && chosen.size() > 1) why = "no probe has such an axis";
  if (why.empty()) {
    std::vector<std::string> all;
    for (const Axis& axis : chosen[0].axes) all.push_back(axis.name);
    why = fmt::format("probe {} has no axis {}; it has {}", chosen[0].probe->name, name,
                      fmt::join(all, ", "));
  }
  throw Failure(ExitCode::Usage, fmt::format("{}: {}", option, why));
}

}  // namespace

void Membench::declare(CommandLine& line, membench::Options& o) {
  constexpr int most = 1'000'000;
  line.subject("Problem");
  line.text("probe", o.probe,
            "Probe to run; all: every one; list: print what each measures, and end")
      ->type_name("PROBE|all|list")
      ->expected(1);
  line.flag("--paper", o.setup.paper,
            "Take the sizes and counts of the paper that a probe comes from: some "
            "then take many minutes");
  line.texts("--axis", o.axes,
             "NAME=VALUE,VALUE,...: measure these values of an axis and no others (membench list "
             "names the axes of each probe); may be given several times");
  line.text("--size", o.size, "Bytes of an array, as 512MB or 4GiB: short for --axis bytes=BYTES");
  line.text("--memspace", o.memspace,
            "Memory of arrays whose pages move, managed or system: short for --axis memory=NAME");
  line.integer("--gpu", o.gpu, 0, 1023, "Number of the GPU to measure (default: 0)");
  line.integer("--numa", o.numa, 0, 1023,
               "NUMA node that the host's memory is taken from (default: as the system places it)");
  line.subject("Samples");
  line.integer("--repeats", o.setup.repeats, 1, most,
               "Number of samples of each point (default: until their 95 % half-width, correlation "
               "counted, is under 5 %)");
  line.integer("--experiments", o.setup.experiments, 1, most,
               "Number of fresh allocations, each with its samples (default: the probe's own)");
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
  std::set<std::string> given;
  for (const std::string& text : options.axes) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
      throw Failure(ExitCode::Usage,
                    fmt::format("--axis: '{}': valid is NAME=VALUE or NAME=VALUE,VALUE", text));
    apply("--axis", text.substr(0, equals), split(text.substr(equals + 1), ','), given, chosen);
  }
  if (!options.size.empty()) apply("--size", "bytes", {options.size}, given, chosen);
  if (!options.memspace.empty()) apply("--memspace", "memory", {options.memspace}, given, chosen);
  return chosen;
}

}  // namespace memstencil::membench
