// A machine as its data sheets and papers describe it: inputs/machines/*.toml.
#pragma once

#include "app/base/record/record.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace memstencil {

/// A bandwidth in GB/s (decimal). "theory" is a data sheet's, "measured" is somebody's measurement.
struct MachineFigure {
  double gbs = 0;
  bool measured = false;
  std::string source;
  std::optional<std::array<double, 2>> spread = {};  ///< least and most that were measured
};

/// A fact of the memory system: bytes, a count, GB/s, or a word.
struct MachineParameter {
  Record value;
  std::string source;
};

struct MachineDescription {
  std::string name;   ///< "miyabi-g"
  std::string title;  ///< a line
  std::string gpu;    ///< what a result's machine.gpu.name is on this machine
  /// And its machine.cpu.cores, where other machines have the same GPU.
  std::optional<std::int64_t> cores = {};
  /// The limits of host_memory, device_memory, link_host_to_device and link_device_to_host (by
  /// copy engines), kernel_reads_host, kernel_writes_host, between_gpus (of a node, one way) and
  /// network (a GPU's share, one way); any may be absent.
  std::map<std::string, MachineFigure> figures = {};
  std::map<std::string, MachineFigure> measured = {};  ///< of the same names: what was reached
  std::map<std::string, MachineParameter> parameters = {};
  std::vector<std::string> missing = {};  ///< figures that are published nowhere

  /// The limit in GB/s, where the description has it.
  std::optional<double> gbs(const std::string& figure) const;
  /// The measured figure, otherwise the limit; null if there is neither.
  const MachineFigure* reached(const std::string& figure) const;
  /// Are results of this GPU and so many cores (where they say) this machine's?
  bool fits(const std::string& gpu_name, std::optional<std::int64_t> cpu_cores) const;
};

/// @throws Failure(Usage) with one line that names the file, the line and what is valid
MachineDescription read_machine_description(const std::string& path);

}  // namespace memstencil
