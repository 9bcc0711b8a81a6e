// Pins what is said of results from machines that differ in how the GPU reaches system-allocated
// memory.
#include "tests/app/base/fake_machines.hpp"
#include "tests/app/compare/records.hpp"

#include "app/compare/facts.hpp"
#include "app/compare/side.hpp"

#include <gtest/gtest.h>

#include <map>

namespace memstencil::compare {
namespace {

using namespace fake_machines;

Record in_system_memory(Record result, const MachineFacts& facts) {
  result["memspace"] = {{"requested", "system"}, {"effective", "system"}};
  result["machine"] = to_record(facts);
  return result;
}

/// What is said of each fact in which a run there differs from one on a GH200 as delivered.
std::map<std::string, std::string> beside_ats(const MachineFacts& facts, const Record& result) {
  const Runs runs{run("a.h5", in_system_memory(result, ats_with_node())),
                  run("b.h5", in_system_memory(result, facts))};
  std::map<std::string, std::string> said;
  for (const auto& row : differing_facts(sides_of(runs, {}, By::File)).rows)
    said[row.at(0)] = row.at(1).get<std::string>() + " / " + row.at(2).get<std::string>();
  return said;
}

TEST(Facts, TellHowEachGpuReachesSystemMemory) {
  for (const Record& result : {himeno(one, 1), transpose(one, "device", "copy", 100)}) {
    auto cdmm = beside_ats(ats_without_node(), result);
    EXPECT_EQ(cdmm["reach of system memory"], "ATS / ATS-CDMM");
    EXPECT_EQ(cdmm["access counters move pages"], "true / false");
    auto off = beside_ats(migration_switched_off(), result);
    EXPECT_EQ(off.count("reach of system memory"), 0U);
    EXPECT_EQ(off["access counters move pages"], "true / false");
    auto by_fault = beside_ats(hmm(), result);
    EXPECT_EQ(by_fault["reach of system memory"], "ATS / HMM");
    EXPECT_EQ(by_fault["page size (bytes)"], "65536 / 4096");
  }
}

}  // namespace
}  // namespace memstencil::compare
