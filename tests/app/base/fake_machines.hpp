// Facts of machines with a GPU that no test runs on: what their drivers and kernels would tell.
#pragma once

#include "app/base/machine/machine_facts.hpp"

namespace memstencil::fake_machines {

/// A GH200 as it is delivered: ATS, its memory is NUMA node 1, pages of 64 KiB.
inline MachineFacts ats_with_node() {
  return {
      {{"cpu", {{"model", "Arm Neoverse V2"}}},
       {"memory",
        {{"huge_pages", {{"enabled", "madvise"}}},
         {"numa_balancing", 0},
         {"init_on_alloc", false},
         {"numa_nodes",
          {{{"node", 0},
            {"memory_bytes", 120'000'000'000},
            {"cpus", "0-71"},
            {"page_cache_bytes", 5'000'000'000}},
           {{"node", 1}, {"memory_bytes", 96'000'000'000}, {"cpus", ""}, {"page_cache_bytes", 0}}}},
         {"page_bytes", 65536}}},
       {"gpu",
        {{"name", "NVIDIA GH200 120GB"},
         {"address_translation", "ATS"},
         {"numa_node", 1},
         {"system_memory", "ATS"},
         {"counters_migrate", true}}}}};
}

/// The same in CDMM mode: the driver keeps the GPU's memory to itself.
inline MachineFacts ats_without_node() {
  MachineFacts machine = ats_with_node();
  machine.record["memory"]["numa_nodes"].erase(1);
  machine.record["gpu"]["numa_node"] = nullptr;
  machine.record["gpu"]["system_memory"] = "ATS-CDMM";
  machine.record["gpu"]["counters_migrate"] = false;
  return machine;
}

/// The first, where the site has switched off migration by access counters.
inline MachineFacts migration_switched_off() {
  MachineFacts machine = ats_with_node();
  machine.record["gpu"]["nvidia_uvm"] = {{"uvm_perf_access_counter_migration_enable", "0"}};
  machine.record["gpu"]["counters_migrate"] = false;
  return machine;
}

/// A GPU behind PCIe with HMM.
inline MachineFacts hmm() {
  MachineFacts machine = ats_without_node();
  machine.record["cpu"]["model"] = "Intel Xeon";
  machine.record["memory"]["page_bytes"] = 4096;
  machine.record["memory"]["numa_balancing"] = 1;
  machine.record["memory"]["init_on_alloc"] = true;
  machine.record["gpu"]["name"] = "NVIDIA H100 PCIe";
  machine.record["gpu"]["address_translation"] = "HMM";
  machine.record["gpu"]["system_memory"] = "HMM";
  return machine;
}

/// The same without HMM: the GPU does not reach system-allocated memory.
inline MachineFacts out_of_reach() {
  MachineFacts machine = hmm();
  machine.record["gpu"]["address_translation"] = "none";
  machine.record["gpu"]["system_memory"] = "none";
  return machine;
}

}  // namespace memstencil::fake_machines
