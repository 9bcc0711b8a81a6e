// The chosen probes, one after the other: what ran, and what could not and why.
#include "app/membench/core/run.hpp"

#include "app/common/agree.hpp"
#include "app/common/clock.hpp"
#include "app/common/failure.hpp"
#include "app/common/text_report.hpp"
#include "memory_spaces/capabilities.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <utility>

namespace memstencil::membench {

namespace {

/// The probe's result, or why this machine cannot give one.
ProbeRun run_one(const Probe& probe, const Settings& settings) {
  ProbeRun run{.probe = &probe, .skipped = probe.refused(), .seconds = 0, .result = {}};
  if (!run.skipped.empty()) return run;
  run.seconds = host_seconds([&] {
    try {
      run.result = probe.run(settings);
    } catch (...) {
      const Failure failure = as_failure(std::current_exception());
      if (failure.code() != ExitCode::Machine)
        throw Failure(failure.code(), fmt::format("{}: {}", probe.name, failure.what()));
      run.skipped = failure.what();
    }
  });
  return run;
}

}  // namespace

std::vector<ProbeRun> run_probes(const std::vector<const Probe*>& chosen, const Settings& settings,
                                 const std::function<void(const std::string&)>& progress) {
  std::vector<ProbeRun> runs;
  for (const Probe* probe : chosen) {
    const std::string which =
        chosen.size() > 1 ? fmt::format("probe {} of {}, {}", runs.size() + 1, chosen.size(), probe->name)
                          : probe->name;
    progress(which);
    Settings own = settings;
    own.progress = [&](const std::string& text) { progress(which + ": " + text); };
    runs.push_back(run_one(*probe, own));
  }
  if (chosen.size() == 1 && !runs.front().skipped.empty())
    throw Failure(ExitCode::Machine, fmt::format("{}: {}", chosen.front()->name, runs.front().skipped));
  return runs;
}

void check_size(const Settings& settings) {
  if (!settings.bytes) return;
  std::size_t there = available_bytes(MemorySpace::SystemAllocated);
  if (gpu_count() > 0) there = std::max(there, available_bytes(MemorySpace::Device));
  if (*settings.bytes > there)
    throw Failure(
        ExitCode::Machine,
        fmt::format("--size: {} are asked for, and no memory here has more than {} available; use a "
                    "smaller --size",
                    bytes_text(static_cast<double>(*settings.bytes)),
                    bytes_text(static_cast<double>(there))));
}

}  // namespace memstencil::membench
