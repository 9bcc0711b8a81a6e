// membench's command line, as a struct.
#include "app/membench/core/options.hpp"

#include "app/common/failure.hpp"
#include "app/common/numbers.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <stdexcept>
#include <utility>

namespace memstencil::membench {

namespace {

constexpr std::int64_t smallest = 4096;
constexpr std::int64_t largest = std::int64_t{1} << 50;

constexpr std::array<std::pair<std::string_view, std::int64_t>, 10> units{{{"", 1},
                                                                           {"B", 1},
                                                                           {"kB", 1000},
                                                                           {"MB", 1000'000},
                                                                           {"GB", 1000'000'000},
                                                                           {"TB", 1000'000'000'000},
                                                                           {"KiB", std::int64_t{1} << 10},
                                                                           {"MiB", std::int64_t{1} << 20},
                                                                           {"GiB", std::int64_t{1} << 30},
                                                                           {"TiB", std::int64_t{1} << 40}}};

std::string sized_probes() {
  std::vector<std::string> names;
  for (const Probe& probe : probes())
    if (probe.sized) names.push_back(probe.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

std::size_t parse_bytes(std::string_view text) {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const std::string_view suffix = text.substr(digits);
  const auto unit =
      std::find_if(units.begin(), units.end(), [suffix](const auto& each) { return each.first == suffix; });
  const auto wrong = [text] {
    return std::invalid_argument(fmt::format(
        "'{}' is no size: valid are bytes from {} to {}, also with kB, MB, GB, TB, KiB, MiB, GiB or TiB",
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
  line.text("probe", o.probe, "A probe, 'all' of them, or 'list' to see what they measure")
      ->type_name("PROBE|all|list")
      ->expected(1);
  line.flag("--paper", s.paper, "The paper's own sizes and counts: some probes then take many minutes");
  line.custom(
      "--size", "BYTES", [&s](const std::string& text) { s.bytes = parse_bytes(text); },
      [&s] { return s.bytes ? std::to_string(*s.bytes) : std::string(); },
      fmt::format("Bytes of an array: 4096, 512MB, 4GiB; without it the probe's own. For {}; under 'all' "
                  "the other probes run as usual",
                  sized_probes()));
  line.integer("--repeats", s.repeats, 1, most,
               "Exactly so many samples; without it until the 95 % half-width is under 5 %");
  line.integer("--experiments", s.experiments, 1, most, "Fresh allocations, each with its repeats");
  line.integer("--gpu", o.gpu, 0, 1023, "GPU to measure; without it the first");
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
    throw Failure(ExitCode::Usage, fmt::format("{}; valid are {}",
                                               name.empty() ? "a probe is missing"
                                                            : fmt::format("'{}' is no probe{}", name,
                                                                          did_you_mean(name, names)),
                                               fmt::join(names, ", ")));
  if (options.settings.bytes && chosen.size() == 1 && !chosen.front()->sized)
    throw Failure(
        ExitCode::Usage,
        fmt::format("--size: probe {} has no array to choose the size of; those that have one are {}", name,
                    sized_probes()));
  return chosen;
}

}  // namespace memstencil::membench
