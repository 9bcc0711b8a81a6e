// membench's command line, as a struct.
#include "app/membench/core/options.hpp"

#include "app/common/cli/numbers.hpp"
#include "app/common/runtime/failure.hpp"
#include "memory_spaces/capabilities.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <stdexcept>
#include <utility>

namespace memstencil::membench {

namespace {

constexpr std::int64_t smallest = 4096;
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

/// The options that only some probes take, in the order in which probes name them.
std::vector<const ProbeOption*> probe_options() {
  std::vector<const ProbeOption*> all;
  for (const Probe& probe : probes())
    for (const ProbeOption* option : probe.options)
      if (std::find(all.begin(), all.end(), option) == all.end()) all.push_back(option);
  return all;
}

/// "link, pages": the probes that take it.
std::string takers(const ProbeOption& option) {
  std::vector<std::string> names;
  for (const Probe& probe : probes())
    if (probe.takes(option)) names.push_back(probe.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

const ProbeOption memspace_option{
    .name = "--memspace",
    .type = "managed|system",
    .help =
        "Memory of the arrays (default: system where the GPU reaches it, managed otherwise; "
        "migration without --paper takes both)",
    .read =
        [](Settings& settings, const std::string& text) {
          settings.memspace = memory_space_from_name(text);
          if (!settings.memspace || !touch_makes_pages(*settings.memspace))
            throw std::invalid_argument(
                fmt::format("'{}': valid are managed and system, whose pages move", text));
        },
    .show =
        [](const Settings& settings) {
          return std::string(settings.memspace ? name(*settings.memspace) : "");
        }};

const ProbeOption size_option{
    .name = "--size",
    .type = "BYTES",
    .help = "Bytes of an array: 4096, 512MB, 4GiB (default: the probe's own)",
    .read = [](Settings& settings, const std::string& text) { settings.bytes = parse_bytes(text); },
    .show =
        [](const Settings& settings) {
          return settings.bytes ? std::to_string(*settings.bytes) : std::string();
        }};

const ProbeOption sizes_option{
    .name = "--sizes",
    .type = "BYTES,BYTES,...",
    .help =
        "Several sizes of the arrays in place of --size, rising: 1GiB,4GiB; what is lost from "
        "the first to the last is derived",
    .read =
        [](Settings& settings, const std::string& text) {
          settings.sizes.clear();
          for (const std::string& part : split(text, ',')) {
            const std::size_t bytes = parse_bytes(part);
            if (!settings.sizes.empty() && bytes <= settings.sizes.back())
              throw std::invalid_argument(
                  fmt::format("'{}': valid are sizes that rise, as 1GiB,4GiB", text));
            settings.sizes.push_back(bytes);
          }
        },
    .show =
        [](const Settings& settings) { return fmt::format("{}", fmt::join(settings.sizes, ",")); }};

std::size_t parse_bytes(std::string_view text) {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const std::string_view suffix = text.substr(digits);
  const auto unit = std::find_if(units.begin(), units.end(),
                                 [suffix](const auto& each) { return each.first == suffix; });
  const auto wrong = [text] {
    return std::invalid_argument(
        fmt::format("'{}' is no size: valid are bytes from {} to {}, also with kB, MB, GB, "
                    "TB, KiB, MiB, GiB or TiB",
                    text, smallest, largest));
  };
  if (unit == units.end()) throw wrong();
  try {
    const std::int64_t count = parse_integer(text.substr(0, digits), 1, largest / unit->second);
    if (count * unit->second < smallest) throw wrong();
    return static_cast<std::size_t>(count * unit->second);
  } catch (const std::invalid_argument&) {
    throw wrong();
  }
}

void declare_options(CommandLine& line, Options& o) {
  constexpr int most = 1'000'000;
  Settings& s = o.settings;
  line.subject("Problem");
  line.text("probe", o.probe,
            "Probe to run; all: every one; list: print what each measures, and end")
      ->type_name("PROBE|all|list")
      ->expected(1);
  line.flag("--paper", s.paper,
            "Take the sizes and counts of the paper that a probe comes from: some "
            "then take many minutes");
  line.integer("--gpu", o.gpu, 0, 1023, "Number of the GPU to measure (default: 0)");
  line.subject("Samples");
  line.integer(
      "--repeats", s.repeats, 1, most,
      "Number of samples of each measurement (default: until their 95 % half-width is under 5 %)");
  line.integer("--experiments", s.experiments, 1, most,
               "Number of fresh allocations, each with its samples (default: the probe's own)");
  line.subject("Options of some probes");
  for (const ProbeOption* option : probe_options())
    line.custom(
        option->name, option->type,
        [&s, option](const std::string& text) { option->read(s, text); },
        [&s, option] { return option->show(s); },
        fmt::format("{}. For {}; with all, other probes run as usual", option->help,
                    takers(*option)));
  line.subject("Ranks");
  line.example("membench link --size 1GiB --output result.h5",
               "the bandwidth of the link between host and GPU, written into a file for memcompare");
}

std::vector<const Probe*> chosen_probes(const Options& options) {
  const std::string& name = options.probe;
  std::vector<const Probe*> chosen;
  std::vector<std::string> names;
  for (const Probe& probe : probes()) {
    names.push_back(probe.name);
    if (name == "all" || name == probe.name) chosen.push_back(&probe);
  }
  names.insert(names.end(), {"all", "list"});
  if (chosen.empty())
    throw Failure(ExitCode::Usage,
                  fmt::format("{}; valid are {}",
                              name.empty() ? "a probe is missing"
                                           : fmt::format("'{}' is no probe{}", name,
                                                         did_you_mean(name, names)),
                              fmt::join(names, ", ")));
  for (const ProbeOption* option : probe_options())
    if (chosen.size() == 1 && !chosen.front()->takes(*option) &&
        !option->show(options.settings).empty())
      throw Failure(ExitCode::Usage,
                    fmt::format("{}: probe {} does not take it; those that do are {}", option->name,
                                name, takers(*option)));
  return chosen;
}

}  // namespace memstencil::membench
