// Effort side by side: a row for each version of himeno.
#include "app/compare/explain.hpp"
#include "tests/app/compare/records.hpp"

#include <gtest/gtest.h>

namespace memstencil::compare {
namespace {

/// 14 arrays, and where `staging` one more through which they pass.
Record with_effort(Record record, const std::string& space, bool staging) {
  const double bytes = 1e9;
  Record allocations = Record::array(
      {{{"memspace", space}, {"count", 14}, {"bytes", 14 * bytes}, {"staging_bytes", 0.0}}});
  if (staging)
    allocations.push_back(
        {{"memspace", "host-pinned"}, {"count", 1}, {"bytes", bytes}, {"staging_bytes", bytes}});
  const Record none{{"count", 0}, {"bytes", 0.0}};
  const Record copies{{"count", 15}, {"bytes", 15 * bytes}};
  record["effort"] = {{"allocations", allocations},
                      {"copies", staging ? copies : none},
                      {"prefetches", none},
                      {"advices", 0}};
  return record;
}

TEST(Explanation, EffortIsARowForEachVersionWhateverTheMachine) {
  const Record second = machine("n2", "GPU second");
  Record managed = himeno(one, 1);
  managed["memspace"] = {{"requested", "managed"}, {"effective", "managed"}};
  const Runs runs{run("a.h5", with_effort(himeno(one, 1), "device", true)),
                  run("a.h5", with_effort(managed, "managed", false)),
                  run("b.h5", with_effort(himeno(second, 2), "device", true)),
                  run("b.h5", himeno(second, 3))};
  const Table effort = effort_of_versions(sides_of(runs, {}));
  ASSERT_EQ(effort.rows.size(), 2u) << "an older result without the count is no row";
  EXPECT_EQ(effort.rows[0][1], "14 in device, 1 in host-pinned");
  EXPECT_EQ(effort.rows[0][2], 15.0);
  EXPECT_EQ(effort.rows[0][3], "1.000 GB in host-pinned");
  EXPECT_EQ(effort.rows[0][4], 15);
  EXPECT_EQ(effort.rows[1][1], "14 in managed");
  EXPECT_EQ(effort.rows[1][3], "none");
  EXPECT_EQ(effort.rows[1][4], 0);
}

}  // namespace
}  // namespace memstencil::compare
