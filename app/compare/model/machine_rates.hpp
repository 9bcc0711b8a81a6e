// Rates of a machine's memories and links: the figures that predictions start
// from, each with its source.
#pragma once

#include "app/base/record/archive.hpp"
#include "memory_spaces/memory_space.hpp"

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace memstencil::model {

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
/// "host_copy", "device_copy", ...
std::string_view name(Rate rate);

/// An operation on a whole allocation.
enum class MemoryOperation {
  Allocate,
  TouchByHost,
  FillByDevice,
  PrefetchToDevice,
  Free,
  FreeFilledByDevice
};
inline constexpr std::array all_memory_operations{
    MemoryOperation::Allocate,     MemoryOperation::TouchByHost,
    MemoryOperation::FillByDevice, MemoryOperation::PrefetchToDevice,
    MemoryOperation::Free,         MemoryOperation::FreeFilledByDevice};
/// "allocate", "first touch by host", ...: as membench's probe of pages names them
std::string_view name(MemoryOperation operation);

/// A number and where it comes from: "membench link", "[tsukuba-thesis-2024], table 5.2 (theory x
/// 0.88)", ...
struct Figure {
  double value = 0.0;
  std::string source;
};

/// The way in which a GPU reaches system-allocated memory.
struct Translation {
  std::string kind = "none";  ///< "none", "ATS" or "HMM"
  bool gpu_node = true;       ///< under ATS: is the GPU's memory a node that holds such pages?
  bool counters = false;      ///< do access counters move pages to the GPU? (ATS with such a node)
  double threshold = 256;     ///< accesses to a region before it moves
  double region_bytes = 2097152;
};

/// One exchange of a rank with its peers, as the probe exchange measured it.
struct MessageTime {
  std::string path;     ///< "nccl", "device", "peer", "staged"
  std::string pattern;  ///< "neighbours", "all-to-all"
  bool between_nodes = false;
  double bytes = 0;  ///< that left the rank
  double seconds = 0;
};

/// Whatever is not known stays absent; overlay() on assumed_rates() gives a set that is complete.
struct MachineRates {
  std::string origin =
      {};  ///< of the set as a whole: "membench run 0002 of a.h5", "a trial of 0.8 s"
  std::map<Rate, Figure> rates = {};
  /// Seconds a byte. A first touch, fill or prefetch is that of pages that nobody has touched; what
  /// a fill writes is small beside it.
  std::map<std::pair<MemoryOperation, MemorySpace>, Figure> costs = {};
  std::optional<Translation> translation = {};
  std::optional<double> device_bytes = {};  ///< memory of the GPU
  std::optional<int> multiprocessors = {};  ///< of the GPU
  std::vector<MessageTime> messages = {};

  /// @throws std::logic_error for a figure that is absent: predictions are made from complete sets
  double operator[](Rate rate) const;
  double cost(MemoryOperation operation, MemorySpace space) const;
};

/// `over` where it has a figure, `under` elsewhere.
MachineRates overlay(MachineRates under, const MachineRates& over);

/// Every figure, for want of a measurement: an H100 on PCIe 5 x16 in a 16-core guest
/// (docs/lab/placement-behind-pcie.md), and for CounterMigration [tsukuba-thesis-2024]. The sources
/// say "assumed".
MachineRates assumed_rates();

}  // namespace memstencil::model
