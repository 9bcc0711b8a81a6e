// Rates of a machine's memories and links: the figures that predictions start from, each with its
// source. A figure that nobody has given is named as missing.
#pragma once

#include "memory_spaces/memory_space.hpp"

#include <array>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace memstencil::compare::model {

/// Bytes a second of a GB/s.
inline constexpr double giga = 1e9;

/// Bandwidths, in bytes a second.
enum class Rate {
  HostCopy,          ///< read + written in host memory by all threads
  DeviceCopy,        ///< read + written in device memory by a kernel
  LinkToDevice,      ///< pinned host memory to device memory, copy engine
  LinkToHost,        ///< the other way
  LinkToPageable,    ///< the same into system-allocated memory
  DeviceReadsHost,   ///< a kernel reads host memory over the link
  DeviceWritesHost,  ///< a kernel writes it
  LinkBothWays,      ///< both at once, by kernels, read + written
  FaultsToDevice,    ///< managed pages move to the GPU at its faults, one stream
  FaultsToHost,      ///< and back at the host's
  PrefetchToDevice,  ///< managed pages move by prefetch
  CounterMigration,  ///< pages that the GPU's access counters move while kernels run
};
inline constexpr std::array all_rates{
    Rate::HostCopy,       Rate::DeviceCopy,      Rate::LinkToDevice,     Rate::LinkToHost,
    Rate::LinkToPageable, Rate::DeviceReadsHost, Rate::DeviceWritesHost, Rate::LinkBothWays,
    Rate::FaultsToDevice, Rate::FaultsToHost,    Rate::PrefetchToDevice, Rate::CounterMigration};
/// "host_copy", "device_copy", ...: as files of assumptions name them
std::string name(Rate rate);

/// An operation on a whole allocation.
enum class Operation {
  Allocate,
  TouchByHost,
  FillByDevice,
  PrefetchToDevice,
  Free,
  FreeFilledByDevice
};
inline constexpr std::array all_operations{Operation::Allocate,     Operation::TouchByHost,
                                           Operation::FillByDevice, Operation::PrefetchToDevice,
                                           Operation::Free,         Operation::FreeFilledByDevice};
/// "allocate", "first touch by host", ...: as membench's probe of pages names them
std::string name(Operation operation);

struct Figure {
  double value = 0;
  std::string source;
};

/// Seconds of an operation: start + bytes * a_byte.
struct Cost {
  double start = 0, a_byte = 0;
};

/// The way in which a GPU reaches system-allocated memory.
struct Translation {
  std::string kind = "none";  ///< "none", "ATS" or "HMM"
  bool gpu_node = true;       ///< under ATS: is the GPU's memory a node that holds such pages?
  bool counters = false;      ///< do access counters move pages to the GPU?
  double threshold = 256;     ///< accesses to a region before it moves
  double region_bytes = 2097152;

  bool ats() const { return kind == "ATS"; }
};

/// One exchange of a rank with its peers, as the probe exchange measured it.
struct MessageTime {
  std::string path;     ///< "nccl", "device", "peer", "staged"
  std::string pattern;  ///< "neighbours", "all-to-all"
  bool between_nodes = false;
  double bytes = 0;  ///< that left the rank
  double seconds = 0;
};

/// The cost of a message: latency and bytes a second, one way.
struct Wire {
  std::optional<Figure> latency, rate;
};

/// A figure that a prediction needs and that nobody has given; what() names it.
struct Missing : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct MachineRates {
  std::map<Rate, Figure> rates = {};
  std::map<std::pair<Operation, MemorySpace>, Cost> costs = {};
  std::optional<Translation> translation = {};
  std::optional<double> device_bytes = {};  ///< memory of the GPU
  std::optional<int> multiprocessors = {};
  std::vector<MessageTime> messages = {};  ///< measured
  Wire in_node = {}, between_nodes = {};   ///< where none were measured

  /// @throws Missing
  double operator[](Rate rate) const;
  const Cost& cost(Operation operation, MemorySpace space) const;
  const Translation& gpu_translation() const;
  int gpu_multiprocessors() const;
};

/// `over` where it has a figure, `under` elsewhere.
MachineRates overlay(MachineRates under, const MachineRates& over);

/// The cost of messages between ranks.
struct Path {
  double latency = 0, rate = 1;  ///< seconds; bytes a second, one way

  double seconds(double bytes) const { return bytes > 0 ? latency + bytes / rate : 0; }
};

/// A kind of message, and the size that it comes near to.
struct MessageKind {
  std::string path, pattern;
  double bytes = 0;
};

/// Measured: the latency of the smallest message of this path and pattern, and the rate of the
/// largest of at most so many bytes. Otherwise what the rates have, which is not of messages by way
/// of the host's memory ("staged").
/// @throws Missing
Path path_of(const MachineRates& rates, const MessageKind& kind, bool between_nodes);

}  // namespace memstencil::compare::model
