// membench as a whole: command line, refusals, the chosen probes one after the other, report.
#pragma once

#include "app/base/cli/options.hpp"
#include "app/bench/placement.hpp"
#include "app/bench/session.hpp"
#include "app/membench/core/result_record.hpp"

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace memstencil::membench {

struct Options {
  std::string probe;  ///< "list", "all", or a probe's name
  Setup setup;
  std::optional<int> gpu, numa;
  std::string size, memspace;         ///< short forms of --axis bytes=... and --axis memory=...
  std::vector<std::string> axes;      ///< NAME=VALUE,VALUE
  const CommandLine* line = nullptr;  ///< that gave them
};

/// A probe and the axes that it is to measure.
struct Chosen {
  const Probe* probe;
  std::vector<Axis> axes;
  std::vector<std::string> notes = {};  ///< which of the asked values it cannot take
};
/// The probes named on the command line: one, or all.
/// @throws Failure(Usage) if there is none of this name; for an axis that the probe has not, or
///   none of all; for a value that is not valid
std::vector<Chosen> chosen_probes(const Options& options);

/// Empty, or why the probe cannot run here.
std::string why_not(const Probe& probe, const Communicator* ranks);

/// The course of the GPU while `work` goes on: another thread looks at the beginning, then once a
/// period. A look takes the driver less than a millisecond.
GpuCourse course_during(const std::function<void()>& work, const std::function<GpuMoment()>& look,
                        std::chrono::milliseconds period = std::chrono::milliseconds(100));

/// The probe's table, or why this machine cannot give one.
/// @throws Failure that names the probe: (Verification) if its data are wrong; (Machine) if
///   one rank of several failed alone
ProbeRecord run_probe(const Chosen& chosen, const Setup& setup, const MachineFacts& machine);

/// The text that a person reads: the table of each probe that ran; with `verbose` also the others.
std::string text_report(const Result& result, bool verbose);

/// As app/bench/application.hpp asks for it.
struct Membench {
  using Options = membench::Options;
  struct Plan {
    membench::Options options;
    std::vector<Chosen> chosen;
  };
  static constexpr const char* name = "membench";
  static constexpr const char* description =
      "Probes of the memory system: each measures one part of it, from raw samples, and verifies "
      "its data.";

  static void declare(CommandLine& line, Options& options);
  /// A list measures nothing. @throws CollectiveFailure(Usage)
  static void check(const Options& options, const CommonOptions&);
  static std::string list_option(const Options& o) { return o.probe == "list" ? o.probe : ""; }
  static std::string list(const CommonOptions& common);
  static bool writes_field(const Options&) { return false; }
  /// Refuses choices that are wrong on any machine, or for one probe alone. Collective.
  static Plan plan(const Options& options, const Machine& machine,
                   const Communicator& communicator);
  static void run(const Plan& plan, const Machine& machine, const Session& session);
};

}  // namespace memstencil::membench
