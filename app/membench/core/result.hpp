// The result of a run, from what its probes gave.
#pragma once

#include "app/membench/core/probe.hpp"
#include "app/membench/core/result_record.hpp"

#include <optional>
#include <string>
#include <vector>

namespace memstencil::membench {

/// A probe that ran, or the reason why it did not.
struct ProbeRun {
  const Probe* probe = nullptr;
  std::string skipped;                   ///< empty: it ran
  double seconds = 0;                    ///< of the whole probe, verification included
  std::optional<GpuClocks> clocks = {};  ///< at its end
  ProbeResult result;
};

Result make_result(const std::string& chosen, const std::vector<ProbeRun>& runs,
                   const Record& options, const MachineFacts& machine,
                   const ExecutionRecord& execution);

/// A flat object for each measurement of the result's probes: the lines of the CSV.
Record measurement_rows(const Result& result);

/// A probe as `membench list` shows it.
struct ListedProbe {
  ProbeIdentity identity;
  std::optional<std::string> refused;  ///< why it cannot run here
};
void describe(Archive& a, ListedProbe& probe);
std::vector<ListedProbe> listed(const std::vector<Probe>& probes);

}  // namespace memstencil::membench
