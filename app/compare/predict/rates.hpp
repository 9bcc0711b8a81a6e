// Rates of a machine's memories and links: the figures that predictions start from, each with its
// source. A figure that is not given is named as missing.
#pragma once

#include "app/compare/read/sample.hpp"

#include <stdexcept>

namespace memstencil::compare::model {

/// Bytes a second of a GB/s.
inline constexpr double giga = 1e9;

/// Bandwidths, in bytes a second: as files of assumptions name them, and the key in a description,
/// which is a figure's or (_gbs) a parameter's.
struct Rate {
  const char *name, *described;
};
inline constexpr Rate all_rates[]{
    {"host_copy", "host_memory"},               // read + written by all threads
    {"device_copy", "device_memory"},           // read + written by a kernel
    {"link_to_device", "link_host_to_device"},  // from pinned host memory, by copy engines
    {"link_to_host", "link_device_to_host"},    // the other way
    {"device_reads_host", "kernel_reads_host"},
    {"device_writes_host", "kernel_writes_host"},
    {"link_both_ways", ""},                       // by kernels, read + written
    {"faults_to_device", "fault_migration_gbs"},  // managed pages at its faults, one stream
    {"faults_to_host", "fault_migration_back_gbs"},
    {"prefetch_to_device", "prefetch_gbs"},
    {"counter_migration", "access_counter_migration_gbs"}};  // pages while kernels run

/// Operations on a whole allocation, as membench's probe of pages names them; "registered" is
/// memory that cudaHostRegister pins.
inline constexpr std::array operations{
    "allocate", "first touch by host",       "first fill by device", "prefetch to device",
    "free",     "free after fill by device", "allocate registered",  "free registered"};

inline std::string name_of_cost(const std::string& operation, MemorySpace space) {
  return operation + ", " + std::string(memstencil::name(space)) + " memory";
}

/// The source of a figure that --assume gave, and how that of a supposed one begins.
inline constexpr const char* assumed_source = "assumed";
inline constexpr const char* supposed_source = "supposed: ";

struct Figure {
  double value = 0;
  std::string source;
};

/// Seconds of an operation: start + bytes * a_byte.
struct Cost {
  double start = 0, a_byte = 0;

  double seconds(int calls, double bytes) const { return calls * start + bytes * a_byte; }
};

/// The way in which a GPU reaches system-allocated memory.
struct Translation {
  std::string kind = "none";  ///< "none", "ATS" or "HMM"
  bool gpu_node = true;       ///< under ATS: is the GPU's memory a node that holds such pages?
  bool counters = false;      ///< do access counters move pages to the GPU?

  bool ats() const { return kind == "ATS"; }
};

/// The cost of messages between ranks.
struct Path {
  double latency = 0, rate = 0;  ///< seconds; bytes a second, one way; 0: not known

  double seconds(double bytes) const { return bytes > 0 ? latency + bytes / rate : 0; }
};

/// A figure that a prediction needs and does not have; what() names it.
struct Missing : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct MachineRates {
  std::map<std::string, Figure> rates = {};  ///< by the name of the rate
  std::map<std::pair<std::string, MemorySpace>, Cost> costs = {};
  std::optional<Translation> translation = {};
  std::optional<double> device_bytes = {};  ///< memory of the GPU
  std::optional<double> host_bytes = {};    ///< a GPU's share of the host's
  std::optional<int> multiprocessors = {};
  std::optional<int> host_threads = {};  ///< of a GPU's share of the host
  /// "nccl", "device", "peer" or "staged" where they were measured, "" where they are described or
  /// assumed; between nodes, or in one.
  std::map<std::pair<std::string, bool>, Path> paths = {};
  double step_time = 1;  ///< of fused kernels, over that of the cards on which they were measured
  std::string assumed = {};  ///< source of the figures of --assume; empty: none

  /// @throws Missing
  double operator[](const std::string& rate) const {
    const auto found = rates.find(rate);
    if (found == rates.end()) throw Missing(rate);
    return found->second.value;
  }
  const Cost& cost(const std::string& operation, MemorySpace space) const {
    const auto found = costs.find({operation, space});
    if (found == costs.end()) throw Missing(name_of_cost(operation, space));
    return found->second;
  }
  const Translation& gpu_translation() const {
    if (!translation) throw Missing("address translation");
    return *translation;
  }
  int gpu_multiprocessors() const {
    if (!multiprocessors) throw Missing("number of multiprocessors");
    return *multiprocessors;
  }
};

/// `over` where it has a figure, `under` elsewhere.
MachineRates overlay(MachineRates under, const MachineRates& over);

/// With all assumed and supposed figures, and all costs and messages where some are assumed,
/// `times` times as dear.
MachineRates dearer(MachineRates rates, double times);
/// With one of them, but for messages, so dear, by its name.
std::vector<std::pair<std::string, MachineRates>> each_dearer(const MachineRates& rates,
                                                              double times);

/// The cost of halos by this path, as it was measured, or as that of any path is described, which
/// by way of the host's memory ("staged") is not.
/// @throws Missing
Path path_of(const MachineRates& rates, const std::string& path, bool between_nodes);

/// A figure has a range: its usual value, and those by which a run is the fastest and the slowest.
enum End : std::size_t { Usual, Fast, Slow };

/// The fraction of a data sheet's figure that machines reach, by End (an H100's 3350 and 64 GB/s:
/// 0.90 and 0.83 to 0.86; a GH200's 4000, 512 and 450: 0.80 to 0.95, [tsukuba-thesis-2024] and
/// [fusco-2024]).
inline constexpr std::array reached_of_theory{0.88, 0.95, 0.80};
/// Of a measured figure on each side, if its source gives no spread.
inline constexpr double spread_of_measured = 0.05;
/// An assumed or supposed figure may be so many times as dear or as cheap.
inline constexpr double factor_of_assumed = 2;

/// No machine counts more of anything.
inline constexpr int most_counted = 1'000'000;
/// A parameter that is a count, whole, from 1 to most_counted; nothing if there is none.
/// @throws Failure(Usage) for one of another kind
std::optional<int> count_of(const MachineDescription& machine, const std::string& key);

/// Only what the description has, all figures at one end of their ranges: those of kind "theory"
/// times reached_of_theory, measured ones as they are, or at an end of their spread. A measured
/// figure of the link is of copy engines; kernels have their own. docs/reference/toml-keys.md has
/// the parameters that are read.
/// @throws Failure(Usage) for a parameter of another kind
MachineRates described_rates(const MachineDescription& machine, End end = End::Usual);
/// A machine's rates at each end of their ranges.
using Ends = std::array<MachineRates, 3>;
/// What its description says; what it leaves open is assumed.
Ends ends_of(const MachineDescription& machine, const std::optional<MachineRates>& assumed = {});

/// Bandwidths that count most, and whose the figures are that the description does not give.
std::vector<std::string> notes_on(const MachineDescription& machine, const Ends& rates);

/// --assume FILE.toml: `name`, `source`, [rates] in GB/s, [pages] with {start_us, ns_per_byte} for
/// each "OPERATION, SPACE", [messages.in_node] and [messages.between_nodes] with `latency_us`,
/// `gbs`.
/// @throws Failure(Usage) with one line that names the file, the line and what is valid
MachineRates assumed_rates(const std::string& path);

/// Medians of the largest size that a membench run measured; probes that were skipped or not run
/// leave their figures absent.
MachineRates probed_rates(const Run& run);
/// Of each GPU that membench has measured in these runs, by its name. Rates of another --numa or
/// --gpu are of another memory: those of one choice are taken, the usual one before others.
std::map<std::string, MachineRates> probed_rates(const std::vector<const Run*>& runs);

}  // namespace memstencil::compare::model
