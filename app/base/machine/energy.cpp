// The energy of a run's timed part as a record and as text.
#include "app/base/machine/energy.hpp"

#include "app/base/record/text_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace memstencil {

namespace {

std::string text(const Energy::Part& part) {
  std::string text =
      fmt::format("{:.5g} J, mean {:.4g} W", part.joules.value_or(0), part.mean_watts.value_or(0));
  if (part.joules_per_iteration)
    text += fmt::format(", {:.4g} J an iteration", *part.joules_per_iteration);
  if (part.gflops_per_watt) text += fmt::format(", {:.3g} GFLOPS/W", *part.gflops_per_watt);
  return text;
}

std::string title(const char* one, const Energy::Part& part) {
  return part.count == 1 ? fmt::format("energy of the {}", one)
                         : fmt::format("energy of {} {}s", part.count, one);
}

}  // namespace

void describe(Archive& a, GpuClocks& clocks) {
  a.optional("sm_clock_mhz", clocks.sm_clock_mhz);
  a.optional("memory_clock_mhz", clocks.memory_clock_mhz);
  a.optional("throttled", clocks.throttled);
}

void describe(Archive& a, Energy::Part& part) {
  a("count", part.count);
  a("joules", part.joules);
  a("mean_watts", part.mean_watts);
  a("joules_per_iteration", part.joules_per_iteration);
  a.optional("gflops_per_watt", part.gflops_per_watt);
  describe(a, static_cast<GpuClocks&>(part));
}

void describe(Archive& a, Energy& energy) {
  a("seconds", energy.seconds);
  a.optional("left_out", energy.left_out);
  a.optional("gpus", energy.gpus);
  a.optional("hosts", energy.hosts);
}

void Energy::divide(double iterations, double flops_of_one) {
  for (std::optional<Part>* part : {&gpus, &hosts}) {
    if (!*part || !(*part)->joules) continue;
    const double joules = *(*part)->joules;
    (*part)->joules_per_iteration = joules / iterations;
    if (flops_of_one > 0 && joules > 0)
      (*part)->gflops_per_watt = iterations * flops_of_one / joules * 1e-9;
  }
}

std::string clocks_text(const GpuClocks& clocks) {
  const auto mhz = [](const std::optional<double>& clock) {
    return clock ? fmt::format("{:.0f} MHz", *clock) : std::string("not known");
  };
  std::string text = fmt::format("SM {}, memory {} at the end", mhz(clocks.sm_clock_mhz),
                                 mhz(clocks.memory_clock_mhz));
  if (clocks.throttled && !clocks.throttled->empty())
    text += fmt::format("; throttled: {}", fmt::join(*clocks.throttled, ", "));
  return text;
}

std::vector<std::pair<std::string, std::string>> lines_of(const Energy& energy) {
  std::vector<std::pair<std::string, std::string>> lines;
  if (energy.left_out) lines.emplace_back("energy", "left out: " + *energy.left_out);
  if (energy.gpus) {
    if (energy.gpus->joules) lines.emplace_back(title("GPU", *energy.gpus), text(*energy.gpus));
    lines.emplace_back("clocks", clocks_text(*energy.gpus));
  }
  if (energy.hosts) lines.emplace_back(title("host", *energy.hosts), text(*energy.hosts));
  return lines;
}

}  // namespace memstencil
