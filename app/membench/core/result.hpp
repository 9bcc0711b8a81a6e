// The result of a program run as the one record that every writer prints.
#pragma once

#include "app/common/record.hpp"
#include "app/membench/core/probe.hpp"

#include <string>
#include <vector>

namespace memstencil::membench {

/// A probe that ran, or the reason why it did not.
struct ProbeRun {
  const Probe* probe = nullptr;
  std::string skipped;  ///< empty: it ran
  double seconds = 0;   ///< of the whole probe, verification included
  ProbeResult result;
};

/// Keys as in docs/results-format.md.
Record make_record(const std::string& chosen, const std::vector<ProbeRun>& runs, const Record& options,
                   const Record& machine);

/// A flat object for each measurement of the record's probes: the lines of the CSV.
Record measurement_rows(const Record& record);

/// What `membench list` says, for JSON: name, summary, source, counted, and refused (null, or the reason).
Record list_record(const std::vector<Probe>& probes);

}  // namespace memstencil::membench
