// Machine facts, read from small copies of other machines' files as well as from this one's.
#include "app/base/machine/machine_facts.hpp"
#include "app/base/machine/host_load.hpp"
#include "app/base/machine/program_facts.hpp"
#include "app/base/machine/provenance.hpp"
#include "app/base/ranks/communicator.hpp"
#include "tests/app/base/temporary_folder.hpp"

#include <gtest/gtest.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace memstencil {
namespace {

struct MachineFactsTest : ::testing::Test {
  TemporaryFolder root;

  void add_cpu(int number, int socket, int core) {
    const std::string cpu = "sys/devices/system/cpu/cpu" + std::to_string(number) + "/";
    root.write(cpu + "topology/physical_package_id", std::to_string(socket) + "\n");
    root.write(cpu + "topology/core_id", std::to_string(core) + "\n");
    root.write(cpu + "cache/index0/level", "1\n");
    root.write(cpu + "cache/index0/size", "64K\n");
    root.write(cpu + "cache/index3/level", "3\n");
    root.write(cpu + "cache/index3/size", "116736K\n");
  }
};

TEST(MpiName, IsNameAndVersionOfEachMpi) {
  for (const auto& [text, name] : std::vector<std::pair<std::string, std::string>>{
           {"Open MPI v4.1.4, package: Debian OpenMPI, ident: 4.1.4\n", "Open MPI v4.1.4"},
           {"MPICH Version:\t4.0.2\nMPICH Release date:\tThu Apr 7\n", "MPICH 4.0.2"},
           {"MPICH Version:      5.0.0\nMPICH Release date: unreleased", "MPICH 5.0.0"},
           {"MVAPICH2 Version      :\t2.3.7\n", "MVAPICH2 2.3.7"},
           {"Intel(R) MPI Library 2021.11 for Linux* OS\n",
            "Intel(R) MPI Library 2021.11 for Linux* OS"},
           {"", ""}})
    EXPECT_EQ(mpi_name(text), name);
}

TEST_F(MachineFactsTest, ReadsAMachineWithTheGpusMemoryAsANode) {
  root.write("proc/cpuinfo", "processor\t: 0\nCPU implementer\t: 0x41\nCPU part\t: 0xd4f\n");
  root.write("proc/meminfo", "MemTotal:       601000000 kB\nMemFree: 1 kB\n");
  root.write("proc/self/status", "Name:\tx\nCpus_allowed_list:\t0-71\n");
  root.write("proc/sys/kernel/hostname", "mg0001\n");
  root.write("proc/sys/kernel/osrelease", "5.14.0-427.el9.aarch64+64k\n");
  root.write("proc/sys/kernel/numa_balancing", "0\n");
  root.write("sys/kernel/mm/transparent_hugepage/enabled", "[always] madvise never\n");
  root.write("sys/kernel/mm/transparent_hugepage/defrag",
             "always defer defer+madvise [madvise] never\n");
  root.write("sys/devices/system/node/node0/meminfo", "Node 0 MemTotal:       500000000 kB\n");
  root.write("sys/devices/system/node/node0/cpulist", "0-71\n");
  root.write("sys/devices/system/node/node1/meminfo",
             "Node 1 MemTotal:       100000000 kB\nNode 1 MemFree:        90000000 kB\n"
             "Node 1 FilePages:        4000000 kB\n");
  root.write("sys/devices/system/node/node1/cpulist", "\n");
  add_cpu(0, 0, 0);
  add_cpu(1, 0, 1);
  add_cpu(10, 1, 0);
  add_cpu(11, 1, 0);
  const MachineFacts facts = host_facts(root.path());
  EXPECT_EQ(facts.text("/hostname"), "mg0001");
  EXPECT_EQ(facts.text("/kernel"), "5.14.0-427.el9.aarch64+64k");
  EXPECT_EQ(facts.text("/cpu/model"), "Arm Neoverse V2");
  EXPECT_EQ(facts.fact<int>("/cpu/cores"), 3);
  EXPECT_EQ(facts.fact<int>("/cpu/threads"), 4);
  EXPECT_EQ(facts.text("/cpu/allowed"), "0-71");
  EXPECT_EQ(facts.fact<std::int64_t>("/cpu/last_level_cache_bytes"), 116736LL * 1024);
  EXPECT_EQ(facts.fact<std::int64_t>("/memory/bytes"), 601000000LL * 1024);
  EXPECT_EQ(facts.text("/memory/huge_pages/enabled"), "always");
  EXPECT_EQ(facts.text("/memory/huge_pages/defrag"), "madvise");
  EXPECT_EQ(facts.fact<int>("/memory/numa_balancing"), 0);
  EXPECT_EQ(facts.record["memory"]["numa_nodes"][1].dump(),
            R"({"node":1,"memory_bytes":102400000000,"cpus":"","page_cache_bytes":4096000000})");
  EXPECT_FALSE(facts.has_gpu());
}

TEST_F(MachineFactsTest, InitOnAllocIsTheKernelsArgumentOrHowItWasBuilt) {
  const auto init = [&] { return host_facts(root.path()).fact<bool>("/memory/init_on_alloc"); };
  EXPECT_EQ(init(), std::nullopt);
  root.write("proc/sys/kernel/osrelease", "6.5.0\n");
  root.write("boot/config-6.5.0", "# Linux\nCONFIG_INIT_ON_ALLOC_DEFAULT_ON=y\n");
  for (const auto& [arguments, on] : std::vector<std::pair<std::string, bool>>{
           {"root=/dev/vda quiet", true},
           {"root=/dev/vda init_on_alloc=1 init_on_alloc=0 quiet", false},  // the last one counts
           {"init_on_alloc=on", true},
           {"init_on_alloc=off", false}}) {
    root.write("proc/cmdline", arguments + "\n");
    EXPECT_EQ(init(), on) << arguments;
  }
  root.write("proc/cmdline", "quiet\n");
  root.write("boot/config-6.5.0", "# CONFIG_INIT_ON_ALLOC_DEFAULT_ON is not set\n");
  EXPECT_EQ(init(), false);
}

TEST_F(MachineFactsTest, GovernorsThatDifferAreNamedOnceEach) {
  const auto set = [&](int cpu, const std::string& governor) {
    const std::string folder = "sys/devices/system/cpu/cpu" + std::to_string(cpu);
    root.write(folder + "/cpufreq/scaling_governor", governor + "\n");
  };
  set(0, "performance");
  set(1, "performance");
  EXPECT_EQ(host_facts(root.path()).text("/cpu/governor"), "performance");
  set(2, "powersave");
  EXPECT_EQ(host_facts(root.path()).text("/cpu/governor"), "performance, powersave");
}

TEST_F(MachineFactsTest, BoostIsReadFromEitherDriver) {
  const auto boost = [&] { return host_facts(root.path()).fact<bool>("/cpu/boost"); };
  root.write("sys/devices/system/cpu/cpufreq/boost", "1\n");
  EXPECT_EQ(boost(), true);
  root.write("sys/devices/system/cpu/cpufreq/boost", "0\n");
  EXPECT_EQ(boost(), false);
  root.write("sys/devices/system/cpu/intel_pstate/no_turbo", "0\n");
  EXPECT_EQ(boost(), true);
  root.write("sys/devices/system/cpu/intel_pstate/no_turbo", "1\n");
  EXPECT_EQ(boost(), false);
}

TEST(SlowBuild, IsADebugBuildOrOneWithoutOptimisation) {
  EXPECT_EQ(slow_build_text("Release", true), "");
  EXPECT_EQ(slow_build_text("", true), "");
  EXPECT_TRUE(slow_build_text("Debug", true).starts_with("a Debug build:"));
  EXPECT_TRUE(slow_build_text("Release", false).starts_with("built without optimisation:"));
}

TEST(MemoryPolicy, IsNotedIfItTakesPagesFromOtherNodesThanTheThreads) {
  const auto text = [](const char* mode, const char* nodes, const char* allowed) {
    return memory_policy_text({{"mode", mode}, {"nodes", nodes}, {"allowed_nodes", allowed}});
  };
  EXPECT_TRUE(text("interleave", "0-1", "0-1").starts_with("memory policy interleave"));
  EXPECT_NE(text("bind", "1", "0-3").find("NUMA nodes 1,"), std::string::npos);
  EXPECT_EQ(text("default", "", "0-1"), "");
  EXPECT_EQ(text("local", "", "0-1"), "");
  EXPECT_EQ(text("interleave", "0", "0"), "") << "there is one node";
  EXPECT_EQ(memory_policy_text({{"mode", nullptr}, {"nodes", nullptr}, {"allowed_nodes", "0-1"}}),
            "");
}

TEST_F(MachineFactsTest, WhatIsNotThereIsNull) {
  const MachineFacts facts = host_facts(root.path());
  for (const char* part : {"/hostname", "/cpu/model", "/cpu/cores", "/cpu/governor", "/cpu/boost",
                           "/cpu/last_level_cache_bytes", "/memory/bytes",
                           "/memory/huge_pages/enabled", "/memory/numa_balancing"})
    EXPECT_TRUE(facts.record.at(Record::json_pointer(part)).is_null()) << part;
  EXPECT_TRUE(facts.record["memory"]["numa_nodes"].empty());
}

TEST_F(MachineFactsTest, ThisMachineAgreesWithTheSystemsOwnCalls) {
  const MachineFacts facts = host_facts("/");
  struct sysinfo system {};  // in bytes: sysconf leaves out a last part of a page
  ASSERT_EQ(sysinfo(&system), 0);
  EXPECT_EQ(facts.fact<std::int64_t>("/memory/bytes"),
            static_cast<std::int64_t>(system.totalram * system.mem_unit));
  EXPECT_EQ(facts.fact<long>("/cpu/threads").value_or(sysconf(_SC_NPROCESSORS_ONLN)),
            sysconf(_SC_NPROCESSORS_ONLN));
}

TEST_F(MachineFactsTest, UvmParametersAreTakenAsFound) {
  EXPECT_TRUE(uvm_parameters(root.path()).empty());
  const std::string folder = "sys/module/nvidia_uvm/parameters/";
  root.write(folder + "uvm_perf_access_counter_threshold", "256\n");
  root.write(folder + "uvm_perf_access_counter_migration_enable", "-1\n");
  root.write(folder + "uvm_perf_fault_coalesce", "1\n");
  root.write(folder + "uvm_ats_mode", "1\n");
  EXPECT_EQ(Record(uvm_parameters(root.path())).dump(),
            R"({"uvm_ats_mode":"1","uvm_perf_access_counter_migration_enable":"-1",)"
            R"("uvm_perf_access_counter_threshold":"256"})");
}

TEST(CountersMigrate, UnderAtsUnlessTheSiteSwitchesThemOff) {
  const char* const now = "uvm_perf_access_counter_migration_enable";
  const char* const before = "uvm_perf_access_counter_mimc_migration_enable";
  EXPECT_EQ(counters_migrate(SystemReach::Ats, {{now, "-1"}}), true);
  EXPECT_EQ(counters_migrate(SystemReach::Ats, {{now, "1"}}), true);
  EXPECT_EQ(counters_migrate(SystemReach::Ats, {{now, "0"}}), false);
  EXPECT_EQ(counters_migrate(SystemReach::Ats, {{before, "0"}}), false);
  EXPECT_EQ(counters_migrate(SystemReach::Ats, {}), std::nullopt);
  EXPECT_EQ(counters_migrate(SystemReach::Ats, {{now, "not readable"}}), std::nullopt);
  EXPECT_EQ(counters_migrate(SystemReach::Ats, {{"uvm_ats_mode", "1"}}), std::nullopt);
  for (const SystemReach reach :
       {SystemReach::None, SystemReach::Hmm, SystemReach::AtsDriverManaged})
    EXPECT_EQ(counters_migrate(reach, {{now, "1"}}), false);
}

TEST(CpusAtStart, ListsAreCounted) {
  EXPECT_EQ(count_cpus("0"), 1);
  EXPECT_EQ(count_cpus("0-3,8,64-71"), 13);
  EXPECT_EQ(count_cpus("0-3,2-5"), 6) << "each once";
  EXPECT_EQ(numbers_listed("8,0-2"), (std::vector<int>{0, 1, 2, 8}));
  for (const char* no_list : {"", "all", "0-", "0;1", "0,,1", "3-1", "-1", "99999999999"})
    EXPECT_EQ(count_cpus(no_list), 0) << no_list;
  EXPECT_GT(count_cpus(cpus_at_start()), 0);
}

}  // namespace
}  // namespace memstencil
