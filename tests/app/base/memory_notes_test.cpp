// Pins what a report says of memory systems that decide where pages lie: ATS with and without a
// NUMA node of the GPU, HMM, migration that the site has switched off.
#include "app/base/machine/report_head.hpp"
#include "tests/app/base/fake_machines.hpp"
#include "tests/app/base/text_checks.hpp"

#include <gtest/gtest.h>

namespace memstencil {
namespace {

using namespace fake_machines;

const std::set<MemorySpace> system_memory{MemorySpace::SystemAllocated};
const std::set<MemorySpace> managed_memory{MemorySpace::Managed};

/// All notes of a run in the spaces, a line each.
std::string notes(const MachineFacts& machine, const std::set<MemorySpace>& spaces) {
  std::string all;
  for (const auto& [name, text, notable] : memory_lines(machine, spaces))
    if (name == "note") all += text + "\n";
  return all;
}

TEST(MemoryNotes, AreNoneOnAMachineAsTheThesisHadIt) {
  EXPECT_EQ(notes(ats_with_node(), system_memory), "");
  EXPECT_EQ(memory_system_text(ats_with_node()),
            "ATS, GPU memory is NUMA node 1, migration by access counters on, pages of 64 KiB, "
            "transparent huge pages madvise, NUMA balancing off, init_on_alloc off");
}

TEST(MemoryNotes, SayThatSystemMemoryStaysWithTheCpuWhereTheDriverKeepsTheGpus) {
  const std::string text = notes(ats_without_node(), system_memory);
  EXPECT_TRUE(contains(text, "no NUMA node"));
  EXPECT_TRUE(contains(text, "also those that the GPU touches first"));
  EXPECT_TRUE(contains(text, "over the link"));
  EXPECT_EQ(notes(ats_without_node(), managed_memory), "") << "managed pages do move";
  EXPECT_TRUE(starts_with(memory_system_text(ats_without_node()),
                          "ATS, GPU memory is no NUMA node (CDMM), pages of 64 KiB"));
}

TEST(MemoryNotes, SayThatTheSiteHasSwitchedMigrationOff) {
  const std::string text = notes(migration_switched_off(), system_memory);
  EXPECT_TRUE(contains(text, "access counters move no pages here"));
  EXPECT_TRUE(contains(text, "--first-touch device"));
  EXPECT_EQ(notes(migration_switched_off(), managed_memory), "");
  EXPECT_TRUE(
      contains(memory_system_text(migration_switched_off()), "migration by access counters off"));
}

TEST(MemoryNotes, SayThatHmmMovesPagesByFault) {
  const std::string text = notes(hmm(), system_memory);
  EXPECT_TRUE(contains(text, "by HMM: pages move by fault"));
  EXPECT_FALSE(text.find("NUMA balancing") != std::string::npos)
      << "its memory is no node: " << text;
  EXPECT_TRUE(starts_with(memory_system_text(hmm()), "HMM, pages of 4 KiB"));
}

TEST(MemoryNotes, NameSettingsOfTheKernelThatTouchTheGpusNode) {
  MachineFacts machine = ats_with_node();
  machine.record["memory"]["numa_balancing"] = 1;
  machine.record["memory"]["init_on_alloc"] = true;
  machine.record["memory"]["page_bytes"] = 4096;
  machine.record["memory"]["numa_nodes"][1]["page_cache_bytes"] = 40'000'000'000;
  const std::string text = notes(machine, system_memory);
  for (const char* part : {"NUMA balancing is on", "init_on_alloc is on", "pages of 4 KiB",
                           "40.0 GB of page cache lie in the GPU's node (NUMA node 1)"})
    EXPECT_TRUE(contains(text, part));
  EXPECT_TRUE(contains(notes(machine, managed_memory), "40.0 GB of page cache"));
}

TEST(MemoryNotes, NameThePageCacheInTheGpusNodeForDeviceMemoryToo) {
  MachineFacts machine = ats_with_node();
  machine.record["memory"]["numa_balancing"] = 1;
  const std::set<MemorySpace> device{MemorySpace::Device};
  EXPECT_TRUE(memory_lines(machine, device).empty());
  machine.record["memory"]["numa_nodes"][1]["page_cache_bytes"] = 40'000'000'000;
  const Lines lines = memory_lines(machine, device);
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines[0].name, "note");
  EXPECT_TRUE(starts_with(lines[0].value, "40.0 GB of page cache lie in the GPU's node"));
  EXPECT_EQ(notes(machine, {MemorySpace::HostPinned}), "");
}

TEST(MemoryNotes, AreNoneForMemoryThatDoesNotMoveAndWithoutAGpu) {
  EXPECT_EQ(notes(ats_without_node(), {MemorySpace::Device, MemorySpace::HostPinned}), "");
  MachineFacts host = hmm();
  host.record["gpu"] = nullptr;
  EXPECT_EQ(notes(host, system_memory), "");
  EXPECT_EQ(memory_system_text(host), "");
}

}  // namespace
}  // namespace memstencil
