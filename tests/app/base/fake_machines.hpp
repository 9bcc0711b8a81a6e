// Facts of machines with a GPU that no test runs on: what their drivers and kernels would tell.
#pragma once

#include "app/base/machine/machine_facts.hpp"

namespace memstencil::fake_machines {

/// A GH200 as it is delivered: ATS, its memory is NUMA node 1, pages of 64 KiB.
inline MachineFacts ats_with_node() {
  MachineFacts machine;
  machine.cpu.model = "Arm Neoverse V2";
  machine.memory.page_bytes = 65536;
  machine.memory.huge_pages.enabled = "madvise";
  machine.memory.numa_balancing = 0;
  machine.memory.init_on_alloc = false;
  machine.memory.numa_nodes = {{0, 120'000'000'000, "0-71", 5'000'000'000},
                               {1, 96'000'000'000, "", 0}};
  MachineFacts::Gpu gpu;
  gpu.name = "NVIDIA GH200 120GB";
  gpu.address_translation = "ATS";
  gpu.pageable_memory_access = gpu.uses_host_page_tables = true;
  gpu.numa_node = 1;
  gpu.system_memory = "ATS";
  gpu.counters_migrate = true;
  machine.gpu = gpu;
  return machine;
}

/// The same in CDMM mode: the driver keeps the GPU's memory to itself.
inline MachineFacts ats_without_node() {
  MachineFacts machine = ats_with_node();
  machine.memory.numa_nodes.pop_back();
  machine.gpu->numa_node.reset();
  machine.gpu->system_memory = "ATS-CDMM";
  machine.gpu->counters_migrate = false;
  return machine;
}

/// The first, where the site has switched off migration by access counters.
inline MachineFacts migration_switched_off() {
  MachineFacts machine = ats_with_node();
  machine.gpu->nvidia_uvm = {{"uvm_perf_access_counter_migration_enable", "0"}};
  machine.gpu->counters_migrate = false;
  return machine;
}

/// A GPU behind PCIe with HMM.
inline MachineFacts hmm() {
  MachineFacts machine = ats_without_node();
  machine.cpu.model = "Intel Xeon";
  machine.memory.page_bytes = 4096;
  machine.memory.numa_balancing = 1;
  machine.memory.init_on_alloc = true;
  machine.gpu->name = "NVIDIA H100 PCIe";
  machine.gpu->address_translation = "HMM";
  machine.gpu->uses_host_page_tables = false;
  machine.gpu->system_memory = "HMM";
  return machine;
}

/// The same without HMM: the GPU does not reach system-allocated memory.
inline MachineFacts out_of_reach() {
  MachineFacts machine = hmm();
  machine.gpu->address_translation = "none";
  machine.gpu->pageable_memory_access = false;
  machine.gpu->system_memory = "none";
  return machine;
}

}  // namespace memstencil::fake_machines
