// All that results carry about the machine and the program that made them.
#include "app/common/machine_facts.hpp"

#include "app/common/communicator.hpp"
#include "app/common/cpus_at_start.hpp"
#include "app/common/driver_facts.hpp"
#include "app/common/host_facts.hpp"
#include "app/common/results_file.hpp"
#include "memory_spaces/capabilities.hpp"
#include "version.hpp"

#include <unistd.h>

namespace memstencil {

namespace {

Record node_or_null(int node) { return node < 0 ? Record() : Record(node); }

Record program_facts() {
  return {{"version", version},
          {"git_revision", git_revision},
          {"compiler", compiler},
          {"build_type", build_type},
          {"kokkos", kokkos_version},
          {"gpu_backend", gpu_backend()},
          {"mpi", {{"library", Communicator::library()}, {"gpu_aware", Communicator::gpu_aware()}}},
          {"hdf5", hdf5_library()}};
}

Record gpu_record() {
  const GpuFacts gpu = gpu_facts();
  if (gpu.name.empty()) return nullptr;
  return {{"name", gpu.name},
          {"count", gpu.count},
          {"index", gpu.index},
          {"driver", gpu.driver},
          {"runtime", gpu.runtime},
          {"memory_bytes", gpu.total_bytes},
          {"l2_bytes", gpu.l2_bytes},
          {"multiprocessors", gpu.multiprocessors},
          {"compute_capability", {{"major", gpu.compute_major}, {"minor", gpu.compute_minor}}},
          {"clock_khz", gpu.clock_khz},
          {"memory_clock_khz", gpu.memory_clock_khz},
          {"memory_bus_bits", gpu.memory_bus_bits},
          {"address_translation", gpu.address_translation},
          {"pageable_memory_access", gpu.pageable_memory_access != 0},
          {"uses_host_page_tables", gpu.uses_host_page_tables != 0},
          {"concurrent_managed_access", gpu.concurrent_managed_access != 0},
          {"direct_managed_access_from_host", gpu.direct_managed_access_from_host != 0},
          {"host_numa_node", node_or_null(gpu.host_numa_id)},
          // Without a node the driver keeps the memory to itself (CDMM, or a GPU behind PCIe), and
          // system-allocated memory never migrates to it.
          {"numa_node", node_or_null(gpu.numa_id)},
          {"nvidia_smi", nvidia_smi_facts(gpu.index)},
          {"nvidia_uvm", uvm_parameters("/")}};
}

}  // namespace

Record machine_facts() {
  Record machine = host_facts("/");
  if (const std::string cpus = cpus_at_start(); !cpus.empty()) machine["cpu"]["allowed"] = cpus;
  machine["memory"]["page_bytes"] = sysconf(_SC_PAGESIZE);
  machine["program"] = program_facts();
  machine["gpu"] = gpu_record();
  return machine;
}

}  // namespace memstencil
