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

TEST(MemoryNotes, SayWherePagesOfSystemMemoryStayOrHowTheyMove) {
  struct Case {
    MachineFacts machine;
    std::vector<const char*> notes;  // parts of them
    const char* system;              // the beginning of the line on the memory system
  };
  for (const Case& each :
       {Case{ats_with_node(),
             {},
             "ATS, GPU memory is NUMA node 1, migration by access counters on, pages of 64 KiB, "
             "transparent huge pages madvise, NUMA balancing off, init_on_alloc off"},
        Case{ats_without_node(),
             {"no NUMA node", "also those that the GPU touches first", "over the link"},
             "ATS, GPU memory is no NUMA node (CDMM), pages of 64 KiB"},
        Case{migration_switched_off(),
             {"access counters move no pages here", "--first-touch device"},
             "ATS, GPU memory is NUMA node 1, migration by access counters off"},
        Case{hmm(), {"by HMM: pages move by fault"}, "HMM, pages of 4 KiB"}}) {
    const std::string text = notes(each.machine, system_memory);
    EXPECT_EQ(text.empty(), each.notes.empty());
    for (const char* part : each.notes) EXPECT_TRUE(contains(text, part));
    EXPECT_TRUE(starts_with(memory_system_text(each.machine), each.system));
  }
  for (const MachineFacts& machine : {ats_without_node(), migration_switched_off()})
    EXPECT_EQ(notes(machine, managed_memory), "") << "managed pages do move";
  EXPECT_EQ(notes(hmm(), system_memory).find("NUMA balancing"), std::string::npos)
      << "its memory is no node";
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
  // The page cache takes the GPU's memory from all that lies there.
  EXPECT_TRUE(contains(notes(machine, managed_memory), "40.0 GB of page cache"));
  const std::set<MemorySpace> device{MemorySpace::Device};
  EXPECT_TRUE(starts_with(notes(machine, device), "40.0 GB of page cache lie in the GPU's node"));
  EXPECT_EQ(memory_lines(machine, device).size(), 1U);
  EXPECT_EQ(notes(machine, {MemorySpace::HostPinned}), "");
  machine.record["memory"]["numa_nodes"][1]["page_cache_bytes"] = 0;
  EXPECT_TRUE(memory_lines(machine, device).empty());
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
