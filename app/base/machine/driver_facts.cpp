// Facts of NVIDIA's driver that CUDA does not tell: limits, clocks,
// addressing mode, page migration.
#include "app/base/machine/driver_facts.hpp"

#include "app/base/machine/host_facts.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace memstencil {

namespace fs = std::filesystem;

MachineFacts::Driver driver_facts(const Nvml& gpu) {
  MachineFacts::Driver facts{gpu.facts(), {}};
  if (!gpu.refused().empty()) facts.refused = gpu.refused();
  return facts;
}

Record uvm_parameters(const fs::path& root) {
  std::vector<fs::path> files;
  std::error_code none;
  for (const auto& entry :
       fs::directory_iterator(root / "sys/module/nvidia_uvm/parameters", none)) {
    const std::string name = entry.path().filename();
    if (name.starts_with("uvm_perf_access_counter_") || name == "uvm_ats_mode" ||
        name == "uvm_disable_hmm")
      files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  Record parameters = Record::object();
  for (const fs::path& file : files)
    parameters[file.filename().string()] = first_line(file).value_or("not readable");
  return parameters.empty() ? Record("not readable") : parameters;
}

std::optional<bool> counters_migrate(SystemReach reach, const Record& uvm_parameters) {
  if (reach != SystemReach::Ats) return false;
  // Newer drivers have one parameter, older ones one for the accesses of each side.
  for (const char* name : {"uvm_perf_access_counter_migration_enable",
                           "uvm_perf_access_counter_mimc_migration_enable"}) {
    if (!uvm_parameters.is_object() || !uvm_parameters.contains(name)) continue;
    const auto value = uvm_parameters[name].get<std::string>();
    if (value == "0") return false;
    // -1 is the driver's default, which is on under ATS.
    if (!value.empty() && value.find_first_not_of("-0123456789") == std::string::npos) return true;
  }
  return std::nullopt;
}

}  // namespace memstencil
