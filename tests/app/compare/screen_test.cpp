// The screen: its verdicts, their causes, its width, and what it says of one, two and more sides.
#include "app/base/record/text_report.hpp"
#include "app/compare/judge/judge.hpp"
#include "app/compare/show/show.hpp"
#include "tests/app/base/text_checks.hpp"
#include "tests/app/compare/records.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

namespace memstencil::compare {
namespace {

/// Three processes, 1 % apart.
std::vector<Record> three(const Record& record) {
  std::vector<Record> records(3, record);
  for (std::size_t n = 0; n < 3; ++n)
    records[n]["phases"]["initialise"] = 0.5 * (1 + 0.01 * static_cast<double>(n));
  return records;
}

Record with_limit(Record record, double gbs) {
  record["limit"] = {{"kind", "copy"}, {"gbs", gbs}, {"fraction", 0.9}};
  return record;
}

Record kind(Record record, const std::string& sweep, const std::vector<int>& ranks = {1, 1, 1}) {
  record["sweep"] = sweep;
  record["ranks"] = ranks;
  return record;
}

std::vector<Record> together(std::vector<std::vector<Record>> parts) {
  std::vector<Record> all;
  for (auto& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

TEST(Screen, TheHeadlineSaysWhoIsFasterByHowMuchAtWhatAndWhy) {
  const auto said = Compared({{"a", three(with_limit(steady("device", 0.2), 1500))},
                              {"b", three(with_limit(steady("device", 0.1), 3000))}})
                        .said();
  ASSERT_EQ(said.size(), 1U);
  EXPECT_TRUE(starts_with(said[0], "b is 1.66 times (\u00b1 ")) << said[0];
  EXPECT_TRUE(contains(said[0],
                       "himeno S, 10 sweeps, arrays in device memory filled by the host: "
                       "1.50 s against 2.50 s"))
      << said[0];
  EXPECT_TRUE(contains(said[0], "device memory is 2.00 times as fast (3000 against 1500 GB/s)"));
}

TEST(Screen, ManyHostsWithManyLoadsAreCounted) {
  std::vector<Record> many;
  for (int n = 0; n < 150; ++n) {
    Record record = steady("device", 0.1);
    record["machine"]["hostname"] = "node" + std::to_string(n);
    record["provenance"]["load"] = {
        {"before", {{"load_average", 10.0 + n}, {"cpu_pressure_percent", 50.0}}}, {"after", {}}};
    many.push_back(record);
  }
  const Record screen = Compared({{"a", many}, {"b", {steady("device", 0.1)}}}).screen();
  const auto know = screen["know"].get<std::vector<std::string>>();
  EXPECT_TRUE(std::ranges::any_of(know, [](const std::string& line) {
    return starts_with(line, "host: a node0 or node1 and 148 more; b n1");
  })) << know.front();
  for (const std::string& line : know) EXPECT_LT(line.size(), 200U) << line;
}

TEST(Screen, NoCauseComesFromTheLimitOfADebugBuildOrFromLimitsThatOverlap) {
  const auto cause = [](const Record& slow, const Record& fast) {
    const Compared both({{"a", three(slow)}, {"b", three(fast)}});
    return cause_of(both.sides[1].groups[0], both.sides[0].groups[0], 10).has_value();
  };
  Record slow = with_limit(steady("device", 0.2), 1500), debug = slow;
  debug["machine"]["program"]["build_type"] = "Debug";
  const Record fast = with_limit(steady("device", 0.1), 3000);
  EXPECT_TRUE(cause(slow, fast));
  EXPECT_FALSE(cause(debug, fast));
  Record disturbed = slow;
  disturbed["limit"]["disturbed"] = true;
  EXPECT_FALSE(cause(disturbed, fast));
  EXPECT_FALSE(cause(with_limit(steady("device", 0.2), 3000), fast));
}

TEST(Screen, APhaseThatExplainsHalfOfTheDifferenceIsTheCause) {
  const auto said = Compared({{"a", three(sweeps("device", 0.5, std::vector<double>(10, 0.1)))},
                              {"b", three(steady("device", 0.1))}})
                        .said();
  EXPECT_TRUE(starts_with(said[0], "No difference can be told")) << said[0];
  std::vector<Record> late = three(steady("device", 0.1));
  for (Record& each : late) each["phases"]["free"] = 1.0;
  EXPECT_TRUE(contains(Compared({{"a", late}, {"b", three(steady("device", 0.1))}}).said()[0],
                       "Why: it saves 1.00 s: release"));
}

TEST(Screen, EachAtItsBestCountsAnyNumberOfGpusAndSaysWhatAllTake) {
  const auto on_four = [](double sweep) {
    return three(kind(steady("device", sweep), "temporal:3", {4, 1, 1}));
  };
  const auto one_gpu = three(steady("device", 0.1));
  auto said = Compared({{"one", one_gpu}, {"four", together({one_gpu, on_four(0.02)})}}).said();
  ASSERT_EQ(said.size(), 2U);
  EXPECT_TRUE(starts_with(said[0], "No difference can be told")) << said[0];
  EXPECT_TRUE(contains(said[1], "; four 2.")) << said[1];
  EXPECT_TRUE(contains(said[1], "3 fused sweeps")) << said[1];
  EXPECT_TRUE(contains(said[1], "on 4 GPUs")) << said[1];
  const auto fused = three(kind(steady("device", 0.05), "temporal:3"));
  said = Compared({{"one", one_gpu}, {"four", together({one_gpu, fused, on_four(0.2)})}}).said();
  EXPECT_TRUE(contains(said[1], "four on all of its 4 GPUs takes")) << said[1];
}

TEST(Screen, KindsAndNumbersOfGpusAreBlocksOfTheirOwn) {
  const auto one_gpu = together({three(steady("device", 0.1)), three(steady("managed", 0.2)),
                                 three(kind(steady("device", 0.05), "temporal:3")),
                                 three(kind(steady("device", 0.03), "temporal:3", {2, 1, 1}))});
  const Record blocks = Compared({{"a", one_gpu}, {"b", one_gpu}}).screen()["blocks"];
  ASSERT_EQ(blocks.size(), 3U);
  EXPECT_EQ(blocks[0]["rows"].size(), 2U) << "placements";
  EXPECT_EQ(blocks[1]["rows"][0]["name"], "3 fused sweeps");
  EXPECT_EQ(blocks[2]["rows"][1]["name"], "2 GPUs");
  EXPECT_DOUBLE_EQ(blocks[0]["rows"][1]["sides"]["a"]["to_best"].get<double>(), 2.505 / 1.505);
}

TEST(Screen, OneSideSaysWhatAnOptionGains) {
  const auto said =
      Compared({{"a", together({three(steady("device", 0.1)), three(steady("managed", 0.1)),
                                three(kind(steady("device", 0.05), "temporal:4"))})}})
          .said();
  ASSERT_EQ(said.size(), 2U);
  EXPECT_TRUE(starts_with(said[1], "At its best: 1.50 times (\u00b1 ")) << said[1];
  EXPECT_TRUE(contains(said[1], "by 4 fused sweeps")) << said[1];
}

TEST(Screen, VariantsOfTransposesThatWereTheDefaultOfEachSideAreNamed) {
  const Record tuned = transpose(one, "device", "copy", 2000);
  Record portable = tuned;
  portable["variants"][0]["name"] = "portable";
  portable["variants"][0]["seconds"] = {0.005, 0.005};
  const std::string said = Compared({{"a", {tuned}}, {"b", {portable}}}).said().at(0);
  EXPECT_TRUE(contains(said, "b (portable in ")) << said;
  EXPECT_TRUE(contains(said, "a (tuned in ")) << said;
}

TEST(Screen, SidesWithoutACommonProblemAreNotRanked) {
  Record other = steady("device", 0.1);
  other["size"] = "M";
  const auto said = Compared({{"a", {steady("device", 0.1)}}, {"b", {other}}}).said();
  EXPECT_EQ(said.size(), 1U);
  EXPECT_TRUE(contains(said[0], "ran no problem in common"));
}

TEST(Screen, OtherWorksHaveAPlaceForEachSide) {
  const auto both = [](double sweep) {
    Record other = steady("device", sweep);
    other["program"] = "heat";
    return together({three(steady("device", 0.1)), three(other)});
  };
  const Compared sides(
      {{"a", both(0.2505)}, {"b", three(steady("device", 0.1))}, {"c", both(0.1)}});
  EXPECT_TRUE(ends_with(sides.screen().at("also"), " -, 2.00."));
}

TEST(Screen, ATransportIsNoPlacementAndEqualOnesAreNotRanked) {
  Record stores = steady("device", 0.1), staged = steady("device", 0.101);
  stores["halo"] = "peer", staged["halo"] = "staged";
  const auto placement = [](const std::vector<std::vector<Record>>& parts) {
    return Compared({{"a", together(parts)}}).screen().at("placement").get<std::string>();
  };
  EXPECT_EQ(placement({three(stores), three(staged)}), "");
  EXPECT_TRUE(contains(placement({three(steady("device", 0.1)), three(steady("managed", 0.1002))}),
                       "No difference can be told: managed"));
}

TEST(Screen, EachAtItsBestIsOfTheWorkThatIsCompared) {
  const auto side = [](const char* memory, double sweep, double gflops) {
    return together({three(steady(memory, sweep)), three(heat(one, gflops))});
  };
  const auto said =
      Compared({{"a", side("managed", 0.1, 900)}, {"b", side("host-pinned", 5, 1800)}}).said();
  EXPECT_TRUE(contains(said[0], " at heat ")) << said[0];
  EXPECT_EQ(said.size(), 1U) << "the best runs of heat are those of the first sentence";
}

TEST(Screen, NothingExceedsTheWidthAndTwoSidesTakeAtMost45Lines) {
  for (const std::size_t sides : {1U, 2U, 3U, 5U}) {
    Compared::Folders folders;
    for (std::size_t side = 0; side < sides; ++side) {
      std::vector<std::vector<Record>> parts;
      for (const char* memory : {"device", "managed", "host-pinned", "system"})
        for (const bool prefetch : {false, true}) {
          Record record = steady(memory, 0.1);
          record["options"]["prefetch"] = prefetch;
          parts.push_back(three(record));
        }
      for (const int ranks : {1, 2, 4})
        parts.push_back(three(kind(steady("device", 0.05 / ranks), "temporal:3", {ranks, 1, 1})));
      for (auto& part : parts)
        for (Record& record : part)
          record["machine"]["gpu"]["driver"] = "driver of side " + std::to_string(side);
      folders.emplace_back("a site with a long name, number " + std::to_string(side),
                           together(parts));
    }
    const Record answer = Compared(folders).answer();
    for (const std::size_t width : {80U, 100U, 160U})
      for (const bool full : {false, true}) {
        const std::string text = screen_text(answer, width, full);
        std::istringstream lines(text);
        for (std::string line; std::getline(lines, line);)
          EXPECT_LE(text_width(line), width) << sides << " sides\n" << text;
        if (width >= 100 && !full && sides <= 2) {
          EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 45) << text;
        }
      }
  }
}

}  // namespace
}  // namespace memstencil::compare
