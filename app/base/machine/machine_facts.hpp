// Facts of the machine and of the program, as every result carries them.
#pragma once

#include "app/base/machine/nvml.hpp"
#include "app/base/record/archive.hpp"
#include "memory_spaces/system_reach.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace memstencil {

/// The record `machine` (docs/reference/result-format.md). Facts that nobody could tell have no
/// value; sizes in bytes. machine_facts.cpp has a table with the name of each, its title for a
/// reader, and the way in which it is found.
struct MachineFacts {
  using Text = std::optional<std::string>;
  using Count = std::optional<std::int64_t>;
  using Number = std::optional<double>;
  using Flag = std::optional<bool>;

  struct Cpu {
    Text model;
    Count cores, threads;          ///< on line
    Text allowed;                  ///< to this process, before threads were bound
    Count last_level_cache_bytes;  ///< of one instance
  };
  struct HugePages {
    Text enabled, defrag;
  };
  struct NumaNode {
    int node = 0;
    Count memory_bytes;
    Text cpus;
    Count page_cache_bytes;  ///< when the result was made
  };
  struct Memory {
    Count bytes;
    HugePages huge_pages;
    Count numa_balancing;
    Flag init_on_alloc;  ///< does the kernel clear every page when it is allocated?
    std::vector<NumaNode> numa_nodes;
    Count page_bytes;
  };
  struct Mpi {
    Text library;
    Flag gpu_aware;
  };
  struct Program {
    Text version, git_revision, compiler, build_type, kokkos, gpu_backend;
    Mpi mpi;
  };
  struct Gpu {
    std::string name;
    Count count, index;
    Text driver, runtime;
    Count memory_bytes, l2_bytes, multiprocessors;
    Text address_translation;
    Flag pageable_memory_access, uses_host_page_tables, direct_managed_access_from_host;
    /// Without a node the driver keeps the memory to itself (CDMM, or a GPU behind PCIe), and
    /// system-allocated memory never migrates to it.
    Count numa_node;
    Text system_memory;                  ///< how it reaches system-allocated memory: SystemReach
    Nvml::Facts nvidia_smi;              ///< the record's name, older than NVML here
    Record nvidia_uvm = "not readable";  ///< {parameter: text}, or this
    Flag counters_migrate;               ///< do access counters move pages to it?
  };

  Text hostname, kernel;
  Cpu cpu;
  Memory memory;
  std::optional<Program> program;
  std::optional<Gpu> gpu;  ///< none where none answers
};
void describe(Archive& a, MachineFacts& machine);

/// Asks the driver, which may take a second, so: on rank 0, outside the timed part.
MachineFacts machine_facts();
/// The same without a GPU, from the files of Linux under `root`.
MachineFacts host_facts(const std::filesystem::path& root);

/// The facts that explain differences of results: a title with the unit, and the value as text,
/// which is empty where it is not known.
std::vector<std::pair<std::string, std::string>> titled_facts(const MachineFacts& machine);

/// "NVIDIA H100 80GB HBM3, Intel Xeon ...", or the processor alone: machines
/// of one title are of one kind.
std::string machine_title(const MachineFacts& machine);

/// Do access counters move pages to a GPU with these parameters of nvidia_uvm? By default under ATS
/// alone, and to a NUMA node alone. Nothing where the parameters do not tell.
std::optional<bool> counters_migrate(SystemReach reach,
                                     const std::map<std::string, std::string>& uvm_parameters);

}  // namespace memstencil
