// What a probe is: a name, where it comes from, and a function that measures; and what it gives back.
#pragma once

#include "app/common/record.hpp"
#include "app/membench/core/sampling.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace memstencil::membench {

/// What the command line asks of a probe; empty: the probe's own default.
struct Settings {
  bool paper = false;                ///< the paper's own sizes and counts
  std::optional<std::size_t> bytes;  ///< --size
  std::optional<int> repeats;        ///< --repeats: exactly so many samples
  std::optional<int> experiments;    ///< --experiments: fresh allocations, each with its repeats
  std::function<void(const std::string&)> progress = [](const std::string&) {};  ///< one line, for a terminal

  /// How to sample: --repeats where given, the paper's count with --paper, otherwise `usual`.
  Sampling sampling(const Sampling& usual, int paper_repeats) const;
  /// How many experiments: --experiments where given, the paper's with --paper, otherwise `usual`.
  int experiment_count(int usual, int paper_experiments) const;
};

/// One thing measured: raw samples, and what they were taken of. `parameters` is a flat object whose
/// values tell the measurements of a probe apart; with the name they are its identity in every report.
struct Measurement {
  std::string name;  ///< "HtoD pinned, copy engine"
  Record parameters;
  std::string unit;  ///< "GB/s" (decimal), "ns", "cycles", "s", "1/s", "1/clock"
  Samples samples;
  int experiments = 1;  ///< the samples are those of so many experiments, one after the other
};

/// What a probe gives back. It has verified its data, or has thrown Failure(Verification).
struct ProbeResult {
  std::vector<Measurement> measurements;
  Record tables = Record::object();   ///< {table: {column: [numbers]}}, for curves and grids of points
  Record derived = Record::object();  ///< fits, plateaus, counts: what follows from the samples
  std::vector<std::string> notes;     ///< what a reader has to know to read the figures rightly
};

/// The work of a probe. A machine that cannot do it is found out here, before anything is measured.
/// @throws Failure(Verification) where the data are wrong; OutOfMemory, UnsupportedSpace or
///         Failure(Machine) where this machine cannot run it, with the reason
using Run = std::function<ProbeResult(const Settings&)>;

/// A probe as `membench list` shows it.
struct Probe {
  std::string name;
  std::string summary;  ///< what it measures, one line
  std::string source;   ///< paper, section, list
  std::string counted;  ///< bytes, instructions or cycles counted
  bool sized = false;   ///< --size has a meaning for it
  /// Empty, or why this machine (or this build) cannot run it.
  std::function<std::string()> refused = {};
  Run run = {};  ///< empty where the build has not the probe's kernels; refused() says so
};

/// All probes, in the order of `membench list` and `membench all`.
const std::vector<Probe>& probes();

}  // namespace memstencil::membench
