// Rankings: the fastest memory, runs of fewer steps, spreads, and sides against each other.
#include "app/compare/ranking.hpp"

#include "app/compare/answer.hpp"
#include "app/compare/document.hpp"
#include "app/compare/reasons.hpp"
#include "app/compare/sample.hpp"
#include "tests/app/base/text_checks.hpp"
#include "tests/app/compare/records.hpp"

#include <gtest/gtest.h>

#include <sstream>

namespace memstencil::compare {
namespace {

/// Ten or so equal sweeps, and nothing else but 0.5 s of filling.
Record sweeps(const std::string& memory, double seconds, std::vector<double> series) {
  Record record = himeno(one, 1000);
  record["memspace"] = {{"requested", memory}, {"effective", memory}};
  double all = 0;
  for (const double each : series) all += each;
  record["iterations"] = series.size();
  record["sweeps"]["seconds"] = series;
  record["phases"] = {{"initialise", seconds}, {"sweeps", all}};
  return record;
}
Record steady(const std::string& memory, double sweep, std::size_t count = 10) {
  return sweeps(memory, 0.5, std::vector<double>(count, sweep));
}

Runs in_folder(const std::string& folder, const std::vector<Record>& records) {
  Runs runs;
  for (std::size_t n = 0; n < records.size(); ++n)
    for (const Record& repeat : repeats_of(records[n]))
      runs.push_back(run(folder + "/" + std::to_string(n) + ".h5", repeat, folder));
  return runs;
}

TEST(Ranking, FastestMemoryComesFirstWithTheRatioOfTheOthers) {
  const Runs runs = in_folder("a", {steady("managed", 0.2), steady("device", 0.1)});
  const auto sides = sides_of(runs, {});
  const auto problems = problems_of(sides, 0);
  ASSERT_EQ(problems.size(), 1U);
  const std::vector<Ranked>& ranked = problems[0].sides[0];
  EXPECT_EQ(ranked[0].memory, "device, filled by host");
  EXPECT_DOUBLE_EQ(ranked[1].to_best, 2.5 / 1.5);
}

TEST(Ranking, ASteadyRunOfFewerStepsIsBroughtToTheCommonNumber) {
  const Runs runs = in_folder(
      "a", {steady("managed", 0.2), steady("device", 0.1), steady("host-pinned", 1.0, 6)});
  const auto sides = sides_of(runs, {});
  const auto problems = problems_of(sides, 0);
  const Ranked& slow = problems[0].sides[0].back();
  EXPECT_DOUBLE_EQ(slow.seconds, 10.5);
  EXPECT_NE(slow.reason.find("extrapolated from 6 sweeps"), std::string::npos);
}

TEST(Ranking, ARunOfFewerStepsWithoutASteadyPaceIsLeftOut) {
  const Runs runs = in_folder("a", {steady("managed", 0.2), steady("device", 0.1),
                                    sweeps("system", 0.5, {1, 1, 1, 1, 2, 2, 2})});
  const auto sides = sides_of(runs, {});
  const auto problems = problems_of(sides, 0);
  EXPECT_EQ(problems[0].rows(), 2U);
  EXPECT_EQ(problems[0].left_out.size(), 1U);
}

TEST(Ranking, PagesThatMoveInTheFirstSweepStandBeyondThePace) {
  const Runs runs = in_folder("a", {sweeps("managed", 0.5, {2.1, 0.1, 0.1, 0.1, 0.1})});
  const auto sides = sides_of(runs, {});
  const Sample& sample = sides[0].groups[0].middle();
  EXPECT_DOUBLE_EQ(sample.at(5)[Part::Pace], 0.5);
  EXPECT_DOUBLE_EQ(sample.at(5)[Part::Beyond], 2.0);
  EXPECT_DOUBLE_EQ(sample.at(5).total(), sample.seconds());
}

TEST(Ranking, SpreadIsOfThreeRunsWhereThereAreThreeAndOfTwoOnlyOtherwise) {
  const auto spread = [](const std::vector<Record>& records) {
    const Runs runs = in_folder("a", records);
    const auto sides = sides_of(runs, {});
    return sides[0].spread();
  };
  const Record a = steady("device", 0.10), b = steady("device", 0.11), c = steady("device", 0.12);
  EXPECT_FALSE(spread({a}));
  EXPECT_EQ(spread({a, b})->runs, 2U);
  EXPECT_EQ(spread({a, b, c})->runs, 3U);
  EXPECT_DOUBLE_EQ(spread({a, b, c})->fraction, 0.2 / 1.6);
  // A group of three says more than a wider one of two.
  EXPECT_EQ(spread({a, b, c, steady("managed", 0.1), steady("managed", 0.9)})->runs, 3U);
}

TEST(Ranking, ASpreadOfTwoRunsIsCalledSo) {
  const auto first_sentence = [](std::vector<Record> records) {
    records.push_back(steady("managed", 0.1001));
    const Runs runs = in_folder("a", records);
    const auto sides = sides_of(runs, {});
    return sentences(sides, 0, problems_of(sides, 0)).at(0);
  };
  const Record a = steady("device", 0.100), b = steady("device", 0.104);
  EXPECT_NE(first_sentence({a, b}).find(", spread of two)"), std::string::npos);
  EXPECT_EQ(first_sentence({a, b, a}).find("spread of two"), std::string::npos);
}

TEST(Ranking, TheRepeatInTheMiddleByWallTimeStandsForItsCaseWithAllItsFigures) {
  // By its sweeps alone the second repeat would be the one in the middle.
  Record record = steady("managed", 0.102);
  record["bandwidth_gbs"] = 100.0;
  for (const auto& [sweep, filling] : {std::pair{0.101, 0.7}, {0.102, 0.5}, {0.103, 0.6}}) {
    const Record repeat = sweeps("managed", filling, std::vector<double>(10, sweep));
    record["repeats"].push_back(
        {{"phases", repeat.at("phases")},
         {"sweeps", repeat.at("sweeps")},
         {"mflops", 102 / sweep},
         {"limit", {{"kind", "copy"}, {"gbs", 200.0}, {"fraction", 0.05 / sweep}}}});
  }
  record["mflops"] = 1000.0;
  const Runs runs = in_folder("a", {record});
  const auto sides = sides_of(runs, {});
  ASSERT_EQ(sides[0].groups.size(), 1U);
  const Group& group = sides[0].groups[0];
  EXPECT_EQ(group.samples.size(), 3U);
  EXPECT_DOUBLE_EQ(group.middle().seconds(), 1.63);
  EXPECT_DOUBLE_EQ(group.middle().median, 0.103);
  EXPECT_DOUBLE_EQ(group.middle().fraction, 0.05 / 0.103) << "as the file has it";
  EXPECT_NEAR(group.spread()->fraction, (1.71 - 1.52) / 1.63, 1e-9);
}

TEST(Ranking, MemoriesAreEqualWithinTheirOwnSpreadNotThatOfAnotherCase) {
  Record noisy = steady("host-pinned", 1.0), noisier = steady("host-pinned", 3.0);
  const Record device = steady("device", 0.100);
  const Runs runs =
      in_folder("a", {device, device, device, steady("managed", 0.115), noisy, noisy, noisier});
  const auto sides = sides_of(runs, {});
  const auto problems = problems_of(sides, 0);
  EXPECT_GT(sides[0].spread()->fraction, 1);
  EXPECT_FALSE(problems[0].sides[0][1].equal) << "1.65 against 1.5 s, and device has no spread";
}

TEST(Ranking, TheRunInTheMiddleStandsForItsCase) {
  const Runs runs =
      in_folder("a", {steady("device", 0.3), steady("device", 0.1), steady("device", 0.2)});
  EXPECT_DOUBLE_EQ(sides_of(runs, {})[0].groups[0].middle().median, 0.2);
}

TEST(Ranking, MemoriesWithEqualSweepsSayWhichPhaseSeparatesThem) {
  const Runs runs =
      in_folder("a", {steady("device", 0.1), sweeps("managed", 0.5, std::vector(10, 0.1001)),
                      sweeps("system", 2.0, std::vector(10, 0.1))});
  const auto sides = sides_of(runs, {});
  const auto problems = problems_of(sides, 0);
  const std::vector<Ranked>& ranked = problems[0].sides[0];
  EXPECT_TRUE(ranked[1].equal);
  EXPECT_TRUE(ranked[1].reason.starts_with("where pages were is not recorded; as fast, inside"));
  EXPECT_NE(ranked[2].reason.find("sweeps equally fast; filled by the host 2 against 0.5 s"),
            std::string::npos)
      << ranked[2].reason;
}

TEST(Ranking, EverySideGetsASentenceAndTheFasterOneIsNamedFirst) {
  Runs runs = in_folder("a", {steady("device", 0.1)});
  for (const auto& each : in_folder("b", {steady("device", 0.4)})) runs.push_back(each);
  const auto sides = sides_of(runs, {});
  const auto words = sentences(sides, 0, problems_of(sides, 0));
  ASSERT_EQ(words.size(), 3U);
  EXPECT_TRUE(words[0].starts_with("a is 3.00 times as fast as b")) << words[0];
  EXPECT_NE(words[0].find("mostly by memory"), std::string::npos) << words[0];
}

TEST(Ranking, ALeadInsideTheSpreadIsNoneAndAWideSpreadTellsNothing) {
  const auto first_sentence = [](double least, double most) {
    Runs runs = in_folder("a", {steady("device", 0.2)});
    // Equal runs of 10 sweeps and 0.5 s of filling; the one in the middle takes 2.6 s, a's 2.5 s.
    for (const auto& each :
         in_folder("b", {steady("device", least), steady("device", 0.21), steady("device", most)}))
      runs.push_back(each);
    const auto sides = sides_of(runs, {});
    return sentences(sides, 0, problems_of(sides, 0)).at(0);
  };
  EXPECT_TRUE(first_sentence(0.200, 0.213).starts_with("a and b are equally fast, within 5"))
      << first_sentence(0.200, 0.213);
  EXPECT_TRUE(first_sentence(0.10, 0.24)
                  .starts_with("a and b cannot be told apart, because equal runs differ by 5"))
      << first_sentence(0.10, 0.24);
  EXPECT_TRUE(first_sentence(0.209, 0.211).starts_with("a is 1.04 times as fast as b"))
      << first_sentence(0.209, 0.211);
}

/// The first table of the first screen.
Table first_table(const std::vector<Side>& sides, std::size_t base) {
  const Document document = document_of(answer_of(sides, base, {}));
  const auto found = std::find_if(document.first.begin(), document.first.end(),
                                  [](const Section& section) { return !section.tables.empty(); });
  return found == document.first.end() ? Table{} : found->tables[0];
}

TEST(Ranking, EverySideHasARowOfItsOwnWithItsOwnReason) {
  Record quick = steady("device", 0.1), slow = steady("device", 0.2);
  quick["limit"]["gbs"] = 3017.0;
  slow["limit"]["gbs"] = 4245.0;
  Runs runs = in_folder("a", {quick, steady("managed", 0.2)});
  for (const auto& each : in_folder("b", {slow})) runs.push_back(each);
  const auto sides = sides_of(runs, {});
  const Table table = first_table(sides, 0);
  ASSERT_EQ(table.rows.size(), 3U);  // device of a and b, managed of a
  EXPECT_EQ(table.rows[0][1], "a");
  EXPECT_NE(table.rows[0].back().find("3017 GB/s"), std::string::npos) << table.rows[0].back();
  EXPECT_EQ(table.rows[1][1], "b");
  EXPECT_NE(table.rows[1].back().find("4245 GB/s"), std::string::npos) << table.rows[1].back();
}

TEST(Ranking, ASecondPerStepAndASecondPaidOnceAreTwoFigures) {
  const Runs runs = in_folder(
      "a", {steady("device", 0.1), sweeps("managed", 0.612, std::vector<double>(10, 0.1))});
  const auto sides = sides_of(runs, {});
  const auto problems = problems_of(sides, 0);
  const Ranked& managed = problems[0].sides[0][1];
  EXPECT_NEAR(managed.step, 0.1, 1e-12);
  EXPECT_NEAR(managed.once, 0.612, 1e-12);
  EXPECT_DOUBLE_EQ(managed.seconds, managed.once + 10 * managed.step);
  // 0.112 s are 1 % of 11.2 s: 0.5 s once, and 107 sweeps. Inside the spread it is not said.
  const Runs wide = in_folder(
      "a", {steady("device", 0.1), sweeps("managed", 0.612, std::vector<double>(10, 0.1)),
            steady("device", 0.1), sweeps("managed", 0.612, std::vector<double>(10, 0.1))});
  const auto twice = sides_of(wide, {});
  const std::string said = sentences(twice, 0, problems_of(twice, 0)).at(0);
  EXPECT_NE(said.find("sweeps equally fast; it pays 0.112 s more, once: 1 % after 107 sweeps"),
            std::string::npos)
      << said;
}

TEST(Ranking, BestAgainstBestTakesTheBestKindOfEachSideAndTheSameKindIsTheSecondFigure) {
  const auto kinds = [](double single, double fused) {
    Record other = steady("device", fused);
    other["sweep"] = "temporal:3";
    return std::vector<Record>{steady("device", single), steady("managed", single), other};
  };
  Runs runs = in_folder("a", kinds(0.2, 0.1));
  for (const auto& each : in_folder("b", kinds(0.1, 0.075))) runs.push_back(each);
  const auto sides = sides_of(runs, {});
  const auto words = sentences(sides, 0, problems_of(sides, 0));
  EXPECT_TRUE(
      words.at(0).starts_with("b is 1.20 times as fast as a, best against best (temporal:3"))
      << words.at(0);
  EXPECT_TRUE(words.at(1).starts_with("b is 1.67 times as fast as a, both single")) << words.at(1);
}

TEST(Ranking, KindsOfOneTaskAreRankedWhereNoKindIsCommon) {
  Record fused = steady("device", 0.05);
  fused["sweep"] = "temporal:3";
  const Runs runs{run("a.h5", steady("device", 0.1)), run("b.h5", fused)};
  const auto sides = sides_of(runs, {}, By::File);
  const auto words = sentences(sides, 0, problems_of(sides, 0));
  EXPECT_TRUE(words.at(0).starts_with("b is 1.50 times as fast as a")) << words.at(0);
  const Table table = first_table(sides, 0);
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_EQ(table.rows[0][0], "temporal:3, device, filled by host");
  EXPECT_EQ(table.rows[1][0], "single, device, filled by host");
}

TEST(Ranking, TheBestUnifiedMemoriesOfTwoSidesStandNextToEachOther) {
  Runs runs = in_folder("a", {steady("device", 0.1), steady("managed", 0.3)});
  for (const auto& each : in_folder("b", {steady("device", 0.1), steady("system", 0.1)}))
    runs.push_back(each);
  const Record answer = answer_of(sides_of(runs, {}), 0, {});
  const Record& unified = answer.at("unified");
  ASSERT_EQ(unified.size(), 2U);
  EXPECT_EQ(unified[1].at("memory"), "system, filled by host");
  EXPECT_DOUBLE_EQ(unified[1].at("to_base").get<double>(), 1.5 / 3.5);
}

TEST(Ranking, RunsOfTwoCommandsAreTwoCases) {
  Record alone = transpose(one, "device", "copy", 1000), of_all = alone;
  const Record variant = alone["variants"][0];
  for (const char* name : {"naive", "copy"}) {
    of_all["variants"].push_back(variant);
    of_all["variants"].back()["name"] = name;
  }
  const Runs runs = in_folder("a", {alone, of_all});
  const auto sides = sides_of(runs, {});
  for (const Group& group : sides[0].groups)
    EXPECT_EQ(group.samples.size(), 1U) << label(group.what);
  EXPECT_NE(label(sides[0].groups[1].what).find("in one run of 3 variants"), std::string::npos);
}

TEST(Ranking, RunsOfTwoBuildsOrAllocationsAreNeverOneSample) {
  Record newer = steady("device", 0.2), pool = steady("device", 0.2);
  newer["machine"]["program"]["git_revision"] = "abc";
  pool["options"]["allocation"] = "pool";
  for (const Record& other : {newer, pool}) {
    const Runs runs = in_folder("a", {steady("device", 0.1), other});
    EXPECT_EQ(sides_of(runs, {})[0].groups.size(), 2U);
  }
}

TEST(Ranking, ACopyOfAFileIsNoSecondRun) {
  Runs runs = in_folder("a", {steady("device", 0.1), steady("device", 0.1)});
  for (auto& each : runs) each.content = "equal";
  const auto sides = sides_of(runs, {});
  EXPECT_EQ(sides[0].runs.size(), 1U);
  EXPECT_EQ(sides[0].copies, std::set<std::string>{"a/1.h5"});
  EXPECT_FALSE(sides[0].spread());
}

TEST(Ranking, ATransposeOverALinkIsHeldAgainstBothWaysAtOnce) {
  Record result = transpose(one, "device", "link", 77), link = membench(one, 55);
  result["variants"][0]["fraction"] = 0.7;
  Record& rows = link["probes"][0]["rows"];
  const Record like = rows[0];
  for (const auto& [direction, gbs] :
       {std::pair{"HtoD against DtoH", 32.0}, {"DtoH against HtoD", 40.0}}) {
    Record row = like;
    row["direction"] = {direction};
    row["by"] = {"kernel"};
    row["gbs"] = {gbs};
    row["samples"]["gbs"] = {gbs, gbs, gbs};
    rows.push_back(row);
  }
  const Runs runs = in_folder("a", {result, link});
  const auto sides = sides_of(runs, {});
  EXPECT_DOUBLE_EQ(sides[0].groups[0].middle().limit, 72);
  EXPECT_DOUBLE_EQ(sides[0].groups[0].middle().fraction, 77.0 / 72);
}

TEST(Ranking, MembenchRowsOfTwoOptionsAreTwoRowsAndTheOptionIsTold) {
  Record near = membench(one, 100), far = membench(one, 25);
  near["options"]["numa"] = 0;
  far["options"]["numa"] = 1;
  const Runs runs = in_folder("a", {near, far});
  const Record answer = answer_of(sides_of(runs, {}), 0, {});
  ASSERT_EQ(answer.at("probe_pairs").size(), 2U);
  EXPECT_EQ(answer.at("probe_pairs")[0].at("values").at("a"), 100.0);
  EXPECT_EQ(answer.at("probe_pairs")[1].at("values").at("a"), 25.0);
  ASSERT_FALSE(answer.at("facts").empty());
  EXPECT_EQ(answer.at("facts")[0].at("fact"), "--numa");
}

TEST(Ranking, FilesOfOneMachineThatHaveOneCaseAreASideEach) {
  const auto names = [](const std::vector<Record>& records) {
    Runs runs;
    for (std::size_t n = 0; n < records.size(); ++n)
      runs.push_back(run("x/" + std::string(n == 0 ? "before" : "after") + ".h5", records[n]));
    std::vector<std::string> out;
    for (const Side& side : sides_of(runs, {})) out.push_back(side.name);
    return out;
  };
  EXPECT_EQ(names({steady("device", 0.1), steady("device", 0.2)}),
            (std::vector<std::string>{"before", "after"}));
  EXPECT_EQ(names({steady("device", 0.1), steady("managed", 0.2)}),
            (std::vector<std::string>{"GPU one"}));
}

TEST(Ranking, ProcessorsWithoutANameAreToldApartByTheirHosts) {
  Runs runs;
  for (const char* host : {"power1", "power2"}) {
    Record record = by_host(himeno(one, 1), 8);
    record["machine"].erase("gpu");
    record["machine"]["cpu"]["model"] = "";
    record["machine"]["hostname"] = host;
    runs.push_back(run(std::string(host) + ".h5", record));
  }
  const auto sides = sides_of(runs, {}, By::Machine);
  ASSERT_EQ(sides.size(), 2U);
  EXPECT_EQ(sides[0].name, "power1");
}

TEST(Ranking, RunsOfTwoDriversInOneFolderPairWithThoseOfOneDriver) {
  Record newer = steady("device", 0.2);
  newer["machine"]["gpu"]["driver"] = "999";
  Runs runs = in_folder("a", {steady("device", 0.1)});
  for (const auto& each : in_folder("b", {steady("device", 0.1), newer})) runs.push_back(each);
  const auto sides = sides_of(runs, {});
  for (const std::size_t base : {0U, 1U}) {
    const auto pairs = pairs_of(sides, base);
    ASSERT_EQ(pairs.size(), 2U);
    EXPECT_NE(pairs[0].label, pairs[1].label);
    EXPECT_TRUE(pairs[1].label.ends_with("driver 999")) << pairs[1].label;
    EXPECT_DOUBLE_EQ(pairs[1].ratio, base == 0 ? 2.5 / 1.5 : 1.5 / 2.5);
    const auto problems = problems_of(sides, base);
    for (const Ranked& each : problems[0].sides[1 - base])
      EXPECT_DOUBLE_EQ(*each.to_base, base == 0 ? each.seconds / 1.5 : 1);
  }
}

TEST(Ranking, AFirstScreenOfAnyNumberOfSidesAndMemoriesFitsAndSaysWhatIsLeftOut) {
  Runs runs;
  for (int side = 0; side < 200; ++side) {
    std::vector<Record> records;
    for (const char* memory : {"device", "managed", "host-pinned"})
      for (const bool prefetch : {false, true})
        records.emplace_back(steady(memory, 0.1))["options"]["prefetch"] = prefetch;
    for (const auto& each : in_folder("a site, driver " + std::to_string(side), records))
      runs.push_back(each);
  }
  const auto sides = sides_of(runs, {});
  for (const std::ptrdiff_t most : {2, 200}) {
    const std::vector<Side> some(sides.begin(), sides.begin() + most);
    const Document document = document_of(answer_of(some, 0, {}));
    const std::string text = to_text(document, false);
    EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 100);
    EXPECT_EQ(text.find(" of Answer, ") != text.npos, most == 200) << text;
    EXPECT_EQ(text.find(" 1386 of By wall time") != text.npos, most == 200) << text;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100U) << line;
    const std::string full = to_text(document, true);
    EXPECT_EQ(full.find("Left out"), full.npos);
  }
}

TEST(Ranking, AClockOfAnotherKindOfGpuIsNoSetting) {
  Record other = machine("n2", "GPU two");
  Record mine = one;
  mine["gpu"]["nvidia_smi"] = {{"max_memory_clock_mhz", 2619}};
  other["gpu"]["nvidia_smi"] = {{"max_memory_clock_mhz", 3201}};
  for (const char* folder : {"a", "b"}) {  // of one side, or of two
    const Runs runs{run("a.h5", himeno(mine, 1), "a"), run("b.h5", himeno(other, 1), folder)};
    const Record facts = answer_of(sides_of(runs, {}), 0, {}).at("facts");
    for (const Record& fact : facts) EXPECT_NE(fact.at("fact"), "largest memory clock (MHz)");
  }
}

TEST(Ranking, TheDifferenceOfTwoMemoriesIsTheSlowerOnesAndNamesBothWhereBothCount) {
  Record quick = steady("device", 0.1), slow = sweeps("managed", 0.9, std::vector(10, 0.1));
  quick["first_touch"] = "device";
  slow["sweeps"]["seconds"][0] = 2.1;
  slow["phases"]["sweeps"] = 3.0;
  const auto a = run("a.h5", quick), b = run("b.h5", slow);
  const std::string text = why_different(samples_of(a).front(), samples_of(b).front(), 10);
  EXPECT_TRUE(text.starts_with("0.0294 GB moved at 0.014 GB/s in the first sweep 2 s")) << text;
  slow["sweeps"]["seconds"][0] = 0.1;
  slow["phases"]["sweeps"] = 1.0;
  const auto c = run("c.h5", slow);
  EXPECT_EQ(why_different(samples_of(a).front(), samples_of(c).front(), 10),
            "filled by the GPU 0.5 s against filled by the host 0.9 s");
}

TEST(Ranking, AStreamedSweepNamesItsRingTheLinkAndT) {
  Record far = steady("host-pinned", 0.2);
  far["sweep"] = "temporal:96";
  far["sweep_kernel"] = "streamed, ring of 266 planes, steps of 64, 4 sweeps a kernel";
  far["limit"] = {{"kind", "link"}, {"gbs", 54.0}};
  const Runs runs{run("a.h5", far), run("b.h5", steady("device", 0.1))};
  const std::string words = " streamed, T = 96, through a ring of 266 planes over the link";
  EXPECT_TRUE(contains(why_fast(samples_of(runs[0]).front(), 10), "sweeps" + words + " at "));
  const std::string why =
      why_different(samples_of(runs[0]).front(), samples_of(runs[1]).front(), 10);
  EXPECT_TRUE(why.starts_with("sweeps" + words + " 2 s against sweeps 1 s: the link (54 GB/s)"))
      << why;
}

TEST(Ranking, PinningNamesItsCallAndStandsBesideThatOfRegisteredPages) {
  Record plain_call = steady("host-pinned", 0.2), registered = plain_call;
  plain_call["memspace"]["allocation"] = "cudaHostAlloc";
  plain_call["phases"]["allocate"] = 6.6;
  registered["memspace"]["allocation"] = "mmap, touched by all threads, cudaHostRegister";
  registered["options"]["allocation"] = "registered";
  registered["phases"]["allocate"] = 0.7;
  const Runs runs = in_folder("a", {steady("device", 0.1), plain_call, registered});
  const auto sides = sides_of(runs, {});
  const auto problems = problems_of(sides, 0);
  const std::vector<Ranked>& ranked = problems[0].sides[0];
  EXPECT_TRUE(contains(ranked[1].reason, "registered pages pinned 0.7 s")) << ranked[1].reason;
  EXPECT_TRUE(contains(ranked[2].reason, "pinned by cudaHostAlloc 6.6 s")) << ranked[2].reason;
  EXPECT_TRUE(contains(ranked[2].reason, "pinned as registered pages 0.7 s against 6.6 s"))
      << ranked[2].reason;
}

TEST(Ranking, MoreThanTheLimitHasAReasonAndTheLimitIsOfAllGpus) {
  const auto why = [](const char* sweep) {
    Record record = himeno(one, 1000, {2, 1, 1});
    record["sweep"] = sweep;
    record["limit"]["fraction"] = 1.3;
    const auto made = run("a.h5", record);
    return why_fast(samples_of(made).front(), 10);
  };
  EXPECT_NE(why("single").find("device memory of 2 GPUs (in cache"), std::string::npos)
      << why("single");
  EXPECT_NE(why("temporal:3").find("(fused sweeps share their traffic)"), std::string::npos);
}

}  // namespace
}  // namespace memstencil::compare
