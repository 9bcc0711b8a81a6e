// A probe as a value: what it measures, where it comes from, why it
// cannot run here, and how it runs.
#pragma once

#include "app/common/ranks/communicator.hpp"
#include "app/common/record/record.hpp"
#include "app/membench/core/result_record.hpp"
#include "memory_spaces/memory_space.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace memstencil::membench {

/// Warm-ups are kept apart. Then samples as StoppingRule says: at least `repeats`, at most `limit`.
struct Sampling {
  int warmups = 2;
  int repeats = 20;
  int limit = 100;
  double half_width = 0.05;
};

/// In the order in which they were taken, in the unit of what was measured.
struct Samples {
  std::vector<double> warmup;
  std::vector<double> values;
  std::string stopped;  ///< why no more were taken: "half-width under 5 %", "limit of N reached"

  /// Adds the samples of a further experiment. `stopped` then tells of the
  /// limit where any reached it.
  void append(const Samples& later);
};

Samples sample(const Sampling& sampling, const std::function<double()>& measure);

/// The command line's settings of a probe; empty: the probe's own default.
struct Settings {
  bool paper = false;                   ///< the paper's own sizes and counts
  std::optional<std::size_t> bytes;     ///< --size
  std::vector<std::size_t> sizes;       ///< --sizes: several, in place of --size
  std::optional<MemorySpace> memspace;  ///< --memspace: managed or system-allocated
  std::optional<int> repeats;           ///< --repeats: exactly so many samples
  std::optional<int> experiments;       ///< --experiments: fresh allocations, each with its repeats
  std::function<void(const std::string&)> progress = [](const std::string&) {
  };                                    ///< one line, for a terminal
  const Communicator* ranks = nullptr;  ///< for a probe of several

  /// The way to sample: --repeats where given, the paper's count with --paper, otherwise `usual`.
  Sampling sampling(const Sampling& usual, int paper_repeats) const;
  /// The number of experiments: --experiments where given, the paper's with
  /// --paper, otherwise `usual`.
  int experiment_count(int usual = 1, int paper_experiments = 1) const;
};

/// One thing measured: raw samples, and what they were taken of. `parameters` is a flat
/// object whose values tell the measurements of a probe apart; with the name they are
/// its identity in every report.
struct Measurement {
  std::string name;  ///< "HtoD pinned, copy engine"
  Record parameters;
  std::string unit;  ///< "GB/s" (decimal), "ns", "cycles", "s", "1/s", "1/clock"
  Samples samples;
  int experiments = 1;  ///< the samples are those of so many experiments, one after the other
};

/// The result of a probe. It has verified its data, or has thrown Failure(Verification).
struct ProbeResult {
  std::vector<Measurement> measurements;
  Record tables =
      Record::object();  ///< {table: {column: [numbers]}}, for curves and grids of points
  Record derived = Record::object();  ///< fits, plateaus, counts: what follows from the samples
  std::vector<SeriesPages> residency = {};  ///< one for each series whose pages can move
  std::vector<std::string> notes;  ///< what a reader has to know to read the figures rightly

  /// Samples of the same name and parameters become one measurement, an experiment each time they
  /// are added. Gives that measurement, until the next is added.
  const Measurement& add(const std::string& name, const Record& parameters, const std::string& unit,
                         const Samples& samples);
};

/// The work of a probe. A machine that cannot do it is found out here, before anything is measured.
/// @throws Failure(Verification) where the data are wrong; OutOfMemory, UnsupportedSpace or
///         Failure(Machine) where this machine cannot run it, with the reason
using Run = std::function<ProbeResult(const Settings&)>;

/// An option that only some probes take; its value stands in Settings.
struct ProbeOption {
  std::string name, type, help;
  void (*read)(Settings& settings,
               const std::string& text);          ///< throws a line that says what is valid
  std::string (*show)(const Settings& settings);  ///< empty: not given
};

/// --size: bytes of an array.
extern const ProbeOption size_option;
/// --sizes: bytes of the arrays, one series each.
extern const ProbeOption sizes_option;
/// --memspace: of the arrays whose pages move.
extern const ProbeOption memspace_option;

/// A probe's file defines one, `probe`, in a namespace of its own; CMakeLists.txt lists the files.
struct Probe {
  std::string name;
  std::string summary;  ///< what it measures, one line
  std::string source;   ///< paper, section, list
  std::string counted;  ///< bytes, instructions or cycles counted
  std::vector<const ProbeOption*> options = {};
  /// Empty, or why this machine (or this build) cannot run it: one of the three below.
  std::function<std::string()> refused = {};
  Run run = {};
  bool several_ranks =
      false;  ///< measures what goes on between them: collective; others measure one process

  bool takes(const ProbeOption& option) const;
};

/// For a probe that runs on a host alone, too. A build for CUDA starts
/// nothing where no GPU answers.
std::string refuse_without_driver();
/// For a probe of what pages do between a host and a GPU.
std::string refuse_without_gpu();
/// For a probe whose kernels are native CUDA.
std::string refuse_without_cuda();

#ifdef MEMSTENCIL_CUDA
inline constexpr bool native_cuda = true;
#else
inline constexpr bool native_cuda = false;
#endif

/// Calls a function of kernels/probes that is native CUDA. A build without CUDA never comes here,
/// because refuse_without_cuda() or gpu_count() come before; and as nothing there refers to the
/// function, it links without it.
template <auto* function, class... Arguments>
auto in_cuda(Arguments&&... arguments)
    -> decltype(function(std::forward<Arguments>(arguments)...)) {
  if constexpr (native_cuda)
    return function(std::forward<Arguments>(arguments)...);
  else
    throw std::logic_error("native CUDA, which this build has not");
}

/// Call before allocating. Spaces that share a memory have to be asked about with their sum.
/// @throws OutOfMemory with what is needed and what there is
void require_memory(MemorySpace space, std::size_t bytes);

/// The bytes of the whole pages among `bytes`.
/// @throws Failure(Machine) where there is none: machines differ in the size of their pages
std::size_t whole_pages(std::size_t bytes, std::size_t page_bytes);

/// All probes, in the order of CMakeLists.txt, `membench list` and `membench all`.
const std::vector<Probe>& probes();

}  // namespace memstencil::membench
