// A machine as its data sheets and papers describe it: inputs/machines/*.toml.
#pragma once

#include "app/common/record/record.hpp"

#include <map>
#include <optional>
#include <string>

namespace memstencil {

/// A bandwidth in GB/s (decimal). "theory" is a data sheet's, "measured" is somebody's measurement.
struct MachineFigure {
  double gbs = 0;
  bool measured = false;
  std::string source;
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
  /// By host_memory, device_memory, link_host_to_device, link_device_to_host, network (of a node,
  /// one way); any may be absent.
  std::map<std::string, MachineFigure> figures;
  std::map<std::string, MachineParameter> parameters;

  /// In GB/s, where the description has the figure.
  std::optional<double> gbs(const std::string& figure) const;
};

/// @throws Failure(Usage) with one line that names the file, the line and what is valid
MachineDescription read_machine_description(const std::string& path);

}  // namespace memstencil
