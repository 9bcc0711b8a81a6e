// membench's command line: the probe, its axes as asked for, and how to sample.
#include "app/membench/core/options.hpp"

#include "app/base/cli/numbers.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <stdexcept>

namespace memstencil::membench {

namespace {

constexpr std::int64_t largest = std::int64_t{1} << 50;
constexpr std::array<std::pair<std::string_view, std::int64_t>, 10> units{
    {{"", 1},
     {"B", 1},
     {"kB", 1000},
     {"MB", 1000'000},
     {"GB", 1000'000'000},
     {"TB", 1000'000'000'000},
     {"KiB", std::int64_t{1} << 10},
     {"MiB", std::int64_t{1} << 20},
     {"GiB", std::int64_t{1} << 30},
     {"TiB", std::int64_t{1} << 40}}};

bool closed(const Axis& axis) {
  return axis.fixed ||
         (!axis.values.empty() && std::holds_alternative<std::string>(axis.values.front()));
}

std::string valid_values(const Axis& axis) {
  if (!closed(axis)) return fmt::format("numbers from {:.15g} to {:.15g}", axis.least, axis.most);
  std::vector<std::string> valid;
  for (const auto& values : {axis.values, axis.more})
    for (const Value& value : values) valid.push_back(text_of(value));
  return fmt::format("{}", fmt::join(valid, ", "));
}

/// @throws std::invalid_argument
Value value_of(const Axis& axis, const std::string& text) {
  if (closed(axis)) {
    for (const auto& values : {axis.values, axis.more})
      for (const Value& value : values)
        if (text_of(value) == text) return value;
    throw std::invalid_argument(fmt::format("'{}': valid are {}", text, valid_values(axis)));
  }
  const double number =
      axis.unit == "B" ? parse_bytes(text) : parse_real(text, axis.least, axis.most);
  if (number < axis.least || number > axis.most)
    throw std::invalid_argument(fmt::format("'{}': valid are {}", text, valid_values(axis)));
  return number;
}

Axis* axis_named(std::vector<Axis>& axes, const std::string& name) {
  const auto found =
      std::find_if(axes.begin(), axes.end(), [&](const Axis& axis) { return axis.name == name; });
  return found == axes.end() ? nullptr : &*found;
}

/// @throws std::invalid_argument
void apply(const AxisChoice& choice, Axis& axis) {
  std::vector<Value> values;
  for (const std::string& text : choice.values) {
    const Value value = value_of(axis, text);
    if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
  }
  axis.values = values;
}

std::string axes_of(const std::vector<Axis>& axes) {
  std::vector<std::string> all;
  for (const Axis& axis : axes) all.push_back(axis.name);
  return fmt::format("{}", fmt::join(all, ", "));
}

/// Applies a choice to every probe that can take it.
void apply(const AxisChoice& choice, std::vector<Chosen>& chosen) {
  bool taken = false;
  std::string why;
  for (Chosen& each : chosen) {
    Axis* axis = axis_named(each.axes, choice.axis);
    if (axis == nullptr) {
      why = chosen.size() > 1 ? "no probe has such an axis"
                              : fmt::format("probe {} has no axis {}; it has {}", each.probe->name,
                                            choice.axis, axes_of(each.axes));
      continue;
    }
    try {
      apply(choice, *axis);
      taken = true;
    } catch (const std::invalid_argument& invalid) {
      if (chosen.size() == 1)
        throw Failure(ExitCode::Usage, fmt::format("{}: {}", choice.option, invalid.what()));
      why = invalid.what();
    }
  }
  if (!taken) throw Failure(ExitCode::Usage, fmt::format("{}: {}", choice.option, why));
}

}  // namespace

double parse_bytes(std::string_view text) {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const std::string_view suffix = text.substr(digits);
  const auto unit = std::find_if(units.begin(), units.end(),
                                 [suffix](const auto& each) { return each.first == suffix; });
  try {
    if (unit != units.end())
      return static_cast<double>(parse_integer(text.substr(0, digits), 1, largest / unit->second) *
                                 unit->second);
  } catch (const std::invalid_argument&) {
  }
  throw std::invalid_argument(
      fmt::format("'{}' is no size: valid are bytes from 1 to {}, also with kB, MB, GB, TB, KiB, "
                  "MiB, GiB or TiB",
                  text, largest));
}

std::vector<AxisChoice> Options::choices() const {
  std::vector<AxisChoice> all;
  for (const std::string& text : axes) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
      throw Failure(ExitCode::Usage,
                    fmt::format("--axis: '{}': valid is NAME=VALUE or NAME=VALUE,VALUE", text));
    all.push_back({"--axis", text.substr(0, equals), split(text.substr(equals + 1), ',')});
  }
  if (!size.empty()) all.push_back({"--size", "bytes", {size}});
  if (!memspace.empty()) all.push_back({"--memspace", "memory", {memspace}});
  return all;
}

void declare_options(CommandLine& line, Options& o) {
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
  line.integer("--repeats", o.repeats, 1, most,
               "Number of samples of each point (default: until their 95 % half-width, correlation "
               "counted, is under 5 %)");
  line.integer("--experiments", o.experiments, 1, most,
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
  for (const AxisChoice& choice : options.choices()) apply(choice, chosen);
  return chosen;
}

}  // namespace memstencil::membench
