// Facts of the machine and of the program, as every result carries them.
#include "app/base/machine/machine_facts.hpp"

#include "app/base/machine/cpus_at_start.hpp"
#include "app/base/machine/driver_facts.hpp"
#include "app/base/machine/host_facts.hpp"
#include "app/base/ranks/communicator.hpp"
#include "app/base/record/results_file.hpp"
#include "memory_spaces/capabilities.hpp"
#include "memory_spaces/system_reach.hpp"
#include "version.hpp"

#include <unistd.h>

namespace memstencil {

void describe(Archive& a, MachineFacts::Cpu& cpu) {
  a("model", cpu.model);
  a("sockets", cpu.sockets);
  a("cores", cpu.cores);
  a("threads", cpu.threads);
  a("allowed", cpu.allowed);
  a("last_level_cache_bytes", cpu.last_level_cache_bytes);
}

void describe(Archive& a, MachineFacts::HugePages& pages) {
  a("enabled", pages.enabled);
  a("defrag", pages.defrag);
}

void describe(Archive& a, MachineFacts::NumaNode& node) {
  a("node", node.node);
  a("memory_bytes", node.memory_bytes);
  a("cpus", node.cpus);
  a("free_bytes", node.free_bytes);
  a("page_cache_bytes", node.page_cache_bytes);
}

void describe(Archive& a, MachineFacts::Memory& memory) {
  a("bytes", memory.bytes);
  a.defaulted("huge_pages", memory.huge_pages);
  a("numa_balancing", memory.numa_balancing);
  a("init_on_alloc", memory.init_on_alloc);
  a.defaulted("numa_nodes", memory.numa_nodes);
  a("page_bytes", memory.page_bytes);
}

void describe(Archive& a, MachineFacts::Mpi& mpi) {
  a("library", mpi.library);
  a("gpu_aware", mpi.gpu_aware);
}

void describe(Archive& a, MachineFacts::Program& program) {
  a("version", program.version);
  a("git_revision", program.git_revision);
  a("compiler", program.compiler);
  a("build_type", program.build_type);
  a("kokkos", program.kokkos);
  a("gpu_backend", program.gpu_backend);
  a.defaulted("mpi", program.mpi);
  a("hdf5", program.hdf5);
}

void describe(Archive& a, MachineFacts::ComputeCapability& capability) {
  a("major", capability.major);
  a("minor", capability.minor);
}

void describe(Archive& a, MachineFacts::Driver& driver) {
  a("power_limit_watts", driver.power_limit_watts);
  a("max_sm_clock_mhz", driver.max_sm_clock_mhz);
  a("max_memory_clock_mhz", driver.max_memory_clock_mhz);
  a("addressing_mode", driver.addressing_mode);
  a("c2c_mode", driver.c2c_mode);
  a.optional("refused", driver.refused);
}

void describe(Archive& a, MachineFacts::Gpu& gpu) {
  a("name", gpu.name);
  a("count", gpu.count);
  a("index", gpu.index);
  a("driver", gpu.driver);
  a("runtime", gpu.runtime);
  a("memory_bytes", gpu.memory_bytes);
  a("l2_bytes", gpu.l2_bytes);
  a("multiprocessors", gpu.multiprocessors);
  a.defaulted("compute_capability", gpu.compute_capability);
  a("clock_khz", gpu.clock_khz);
  a("memory_clock_khz", gpu.memory_clock_khz);
  a("memory_bus_bits", gpu.memory_bus_bits);
  a("address_translation", gpu.address_translation);
  a("pageable_memory_access", gpu.pageable_memory_access);
  a("uses_host_page_tables", gpu.uses_host_page_tables);
  a("concurrent_managed_access", gpu.concurrent_managed_access);
  a("direct_managed_access_from_host", gpu.direct_managed_access_from_host);
  a("host_numa_node", gpu.host_numa_node);
  a("numa_node", gpu.numa_node);
  a("system_memory", gpu.system_memory);
  a.defaulted("nvidia_smi", gpu.nvidia_smi);
  a.defaulted("nvidia_uvm", gpu.nvidia_uvm);
  a("counters_migrate", gpu.counters_migrate);
}

void describe(Archive& a, MachineFacts& machine) {
  a("hostname", machine.hostname);
  a("os", machine.os);
  a("kernel", machine.kernel);
  a.defaulted("cpu", machine.cpu);
  a.defaulted("memory", machine.memory);
  a("program", machine.program);
  a("gpu", machine.gpu);
}

namespace {

MachineFacts::Program program_facts() {
  return {.version = std::string(build::version),
          .git_revision = std::string(build::git_revision),
          .compiler = std::string(build::compiler),
          .build_type = std::string(build::build_type),
          .kokkos = std::string(build::kokkos_version),
          .gpu_backend = gpu_backend(),
          .mpi = {.library = Communicator::library(), .gpu_aware = Communicator::gpu_aware()},
          .hdf5 = hdf5_library()};
}

MachineFacts::Count node_or_none(int node) { return node < 0 ? MachineFacts::Count() : node; }

std::optional<MachineFacts::Gpu> gpu_in_use() {
  const GpuFacts gpu = gpu_facts();
  if (gpu.name.empty()) return std::nullopt;
  const SystemReach reach =
      system_reach(gpu.pageable_memory_access != 0, gpu.uses_host_page_tables != 0, gpu.numa_id);
  const Record uvm = uvm_parameters("/");
  return MachineFacts::Gpu{
      .name = gpu.name,
      .count = gpu.count,
      .index = gpu.index,
      .driver = gpu.driver,
      .runtime = gpu.runtime,
      .memory_bytes = gpu.total_bytes,
      .l2_bytes = gpu.l2_bytes,
      .multiprocessors = gpu.multiprocessors,
      .compute_capability = {.major = gpu.compute_major, .minor = gpu.compute_minor},
      .clock_khz = gpu.clock_khz,
      .memory_clock_khz = gpu.memory_clock_khz,
      .memory_bus_bits = gpu.memory_bus_bits,
      .address_translation = gpu.address_translation,
      .pageable_memory_access = gpu.pageable_memory_access != 0,
      .uses_host_page_tables = gpu.uses_host_page_tables != 0,
      .concurrent_managed_access = gpu.concurrent_managed_access != 0,
      .direct_managed_access_from_host = gpu.direct_managed_access_from_host != 0,
      .host_numa_node = node_or_none(gpu.host_numa_id),
      .numa_node = node_or_none(gpu.numa_id),
      .system_memory = std::string(name(reach)),
      .nvidia_smi = driver_facts(Nvml(gpu.uuid)),
      .nvidia_uvm = uvm,
      .counters_migrate = counters_migrate(reach, uvm)};
}

}  // namespace

MachineFacts machine_facts() {
  MachineFacts machine = host_facts("/");
  if (const std::string cpus = cpus_at_start(); !cpus.empty()) machine.cpu.allowed = cpus;
  machine.memory.page_bytes = sysconf(_SC_PAGESIZE);
  machine.program = program_facts();
  machine.gpu = gpu_in_use();
  return machine;
}

std::string machine_title(const MachineFacts& machine) {
  const std::string cpu = machine.cpu.model.value_or("");
  return machine.gpu ? machine.gpu->name + ", " + cpu : cpu;
}

}  // namespace memstencil
