// Cases and samples: labels that differ where cases do, the parts of a run's time, and facts of it.
#include "app/compare/predict/applications.hpp"
#include "app/compare/read/sample.hpp"
#include "app/compare/show/show.hpp"

#include "tests/app/compare/records.hpp"

#include <gtest/gtest.h>

#include <map>
#include <utility>
#include <vector>

namespace memstencil::compare {
namespace {

TEST(Cases, OneChangedOptionChangesTheLabel) {
  const auto label_with = [](const char* program, const char* path, const Record& value) {
    Record record = plain(program);
    record["machine"] = one;
    record[Record::json_pointer(path)] = value;
    const auto made = run("a.h5", record);
    return label(samples_of(made).front().what);
  };
  using Changes = std::vector<std::pair<const char*, Record>>;
  for (const auto& [program, changes] :
       {std::pair<const char*, Changes>{"himeno",
                                        {{"/options/advise", "preferred"},
                                         {"/options/pages", "huge"},
                                         {"/options/prefetch", true},
                                         {"/options/pre-touch", "device"},
                                         {"/options/coefficients", "random:7"},
                                         {"/options/seconds", 5.0},
                                         {"/memspace/effective", "managed"},
                                         {"/exec", "host"},
                                         {"/first_touch", "device"},
                                         {"/halo", "staged"},
                                         {"/layout", "packed"},
                                         {"/sweep", "temporal:3"},
                                         {"/iterations", 11},
                                         {"/ranks", {2, 1, 1}},
                                         {"/size", "M"}}},
        {"transpose",
         {{"/type", "double"},
          {"/rows", 128},
          {"/ranks", 2},
          {"/messages", "nccl"},
          {"/variants/0/name", "naive"},
          {"/variants/0/tile", 16},
          {"/options/pitch", "33"}}}}) {
    const std::string usual = label_with(program, "/options/advise", "none");
    for (const auto& [path, value] : changes)
      EXPECT_NE(label_with(program, path, value), usual) << path;
  }
}

TEST(Cases, HeatIsAGridCodeOf16BytesAPoint) {
  const auto made = run("a.h5", heat(one, 1000));
  const Sample sample = samples_of(made).front();
  EXPECT_EQ(label(sample.what), "heat S (64x64x128), single, x 10, in device, filled by host");
  EXPECT_EQ(sample.bytes, 16.0 * 64 * 64 * 128);
  EXPECT_EQ(sample.step, "sweep");
}

TEST(Cases, ATransposesFractionIsOfItsLimitAndOlderRecordsHaveThatOfTheCopy) {
  Record result = transpose(one, "host", "read stream", 1500);
  result["variants"][0]["of_copy"] = 0.75;
  const auto older = run("a.h5", result);
  EXPECT_EQ(samples_of(older)[0].limit, 2000);
  result["variants"][0]["fraction"] = 0.5;
  const auto newer = run("a.h5", result);
  EXPECT_EQ(samples_of(newer)[0].fraction, 0.5);
  EXPECT_EQ(samples_of(newer)[0].limit, 3000);
}

TEST(Cases, MessagesThatAreTheTransposesOwnHaveNoShare) {
  Record result = transpose(one, "device", "copy", 1500);
  result["ranks"] = 2;
  Record& split = result["variants"][0]["split"];
  split = {{"pack", 1.0}, {"exchange", 2.0}, {"transpose", 1.0}};
  const auto staged = run("a.h5", result);
  EXPECT_EQ(samples_of(staged)[0].exposed, 0.5);
  split["exchange"] = 0.0;
  const auto by_stores = run("a.h5", result);
  EXPECT_EQ(samples_of(by_stores)[0].exposed, std::nullopt);
}

TEST(Cases, ACommaWithinAValueIsNoEndOfAMember) {
  const Case a{"p", {{"size", "x, y"}}, "x 1", {{"memspace", "device"}}, {}};
  const Case b{"p", {{"size", "x"}, {"type", "y"}}, "x 1", {{"memspace", "device"}}, {}};
  EXPECT_NE(label(a), label(b));
}

TEST(Cases, HostThreadsAreAllCoresWhereTheyAre) {
  const auto threads = [](int count, const Record& allowed) {
    Record record = by_host(himeno(one, 1), count);
    record["machine"]["cpu"]["allowed"] = allowed;
    return threads_text(record);
  };
  EXPECT_EQ(threads(8, "0-7"), "all cores");
  EXPECT_EQ(threads(4, "0-7"), "4 threads");
  EXPECT_EQ(threads(8, "3"), "8 threads on 1 CPU");
}

TEST(Facts, NameAQuotaAndABusyHost) {
  Record quiet = himeno(one, 1000), busy = quiet, held = quiet;
  const auto load = [](double pressure, double average, double before, double after) {
    const Record at_start{{"cpu_pressure_percent", pressure},
                          {"load_average", average},
                          {"throttled_seconds", before}};
    return Record{{"before", at_start}, {"after", {{"throttled_seconds", after}}}};
  };
  quiet["machine"]["cpu"]["quota_cpus"] = nullptr;
  quiet["provenance"]["load"] = load(0.5, 0.1, 2, 2);
  busy["machine"]["cpu"]["quota_cpus"] = nullptr;
  busy["provenance"]["load"] = load(34.4, 7.25, 2, 2);
  held["machine"]["cpu"]["quota_cpus"] = 0.3;
  held["provenance"]["load"] = load(34.4, 7.25, 2, 4.5);
  const auto facts = [](const Record& a, const Record& b) {
    const Runs runs{run("a/1.h5", a, "a"), run("b/1.h5", b, "b")};
    std::map<std::string, std::string> all;
    const Record answer = answer_of(sides_of(runs, {}), {});
    for (const Record& row : answer.at("facts"))
      all[row.at("fact")] = row.at("values").at("a").get<std::string>() + " : " +
                            row.at("values").at("b").get<std::string>();
    return all;
  };
  using Facts = std::map<std::string, std::string>;
  EXPECT_EQ(facts(quiet, quiet), Facts());
  EXPECT_EQ(facts(quiet, busy),
            (Facts{{"load of the host", "little : load average 7.2, tasks waited 34 %"}}));
  EXPECT_EQ(facts(quiet, held),
            (Facts{{"CPU quota (CPUs)", "none : 0.3"},
                   {"load of the host", "little : held back 2.5 s by the quota"}}));
  EXPECT_EQ(facts(himeno(one, 1000), held), Facts()) << "older results do not tell";
}

Record with_sweep(double gflops, double sweep) {
  Record record = himeno(one, gflops);
  record["sweeps"]["seconds"] = std::vector<double>(10, sweep);
  record["phases"] = {{"sweeps", 10 * sweep}};
  return record;
}

/// 0.1 s a sweep but the first, which takes 0.35 s, and 0.2 s of messages.
TEST(CompareScale, ASampleDividesItsTimeAmongStepsMessagesAndTheRest) {
  Record record = himeno(one, 1000, {2, 1, 1});
  record["phases"]["halo"] = 0.15;
  record["phases"]["reduce"] = 0.05;
  const auto made = run("a.h5", record);
  const Sample sample = samples_of(made).at(0);
  EXPECT_DOUBLE_EQ(sample.all_steps, 1.25);
  EXPECT_DOUBLE_EQ(sample.exposed.value(), 0.2 / 1.45);
  EXPECT_DOUBLE_EQ(sample.per_step(), 0.1 + 0.02);
  EXPECT_DOUBLE_EQ(sample.fraction, 0.5);
  EXPECT_DOUBLE_EQ(sample.pace_fraction(), 0.5 * 1.25 / 1);
  const Seconds twice = sample.at(20);
  EXPECT_DOUBLE_EQ(twice[Part::Pace], 2);
  EXPECT_DOUBLE_EQ(twice[Part::Beyond], 0.25);
  EXPECT_DOUBLE_EQ(twice[Part::Messages], 0.4);
  EXPECT_DOUBLE_EQ(twice[Part::Allocate], 0.25);
  EXPECT_DOUBLE_EQ(sample.bytes, 14. * 4 * 64 * 64 * 128);
}

TEST(CompareScale, ATransposeHasTwoMatricesOfItsType) {
  Record record = transpose(one, "device", "copy", 2000);
  const auto bytes = [&] {
    const auto made = run("a.h5", record);
    return samples_of(made).at(0).bytes;
  };
  EXPECT_EQ(bytes(), 2. * 64 * 64 * 4);
  record["type"] = "double";
  EXPECT_EQ(bytes(), 2. * 64 * 64 * 8);
}

TEST(CompareScale, OfThreeRunsOfAProbeTheMiddleOneStandsAndIsSetAgainstTheBase) {
  const Record answer = Compared({{"a", {membench(one, 40), membench(one, 50), membench(one, 90)}},
                                  {"b", {membench(one, 25)}}})
                            .answer();
  const Record& row = answer.at("probe_pairs").at(0);
  EXPECT_EQ(row.at("values").at("a"), 50.0);
  EXPECT_EQ(row.at("to_base").at("b"), 0.5);
}

TEST(CompareScale, APredictionsErrorIsThatOfTheMeasuredRun) {
  Record rates = membench(one, 50);
  rates["probes"][0]["rows"].push_back({{"bytes", {1e9, 1e9}},
                                        {"memory", {"device", "pinned"}},
                                        {"direction", {"device copy", "DtoH"}},
                                        {"by", {"kernel", "copy engine"}},
                                        {"gbs", {3000., 50.}}});
  rates["probes"].push_back({{"name", "pages"},
                             {"axes", {"memory", "allocation", "pages", "act"}},
                             {"rows",
                              {{{"memory", {"device", "device", "host-pinned", "host-pinned"}},
                                {"allocation", {"default", "default", "registered", "registered"}},
                                {"pages", std::vector<std::string>(4, "default")},
                                {"act", {"allocate", "free", "allocate", "free"}},
                                {"start_us", {10., 20., 30., 40.}},
                                {"ns_per_byte", {0.01, 0.02, 0.03, 0.04}}}}}});
  const Record measured = with_sweep(1000, 0.1);
  Record registered = measured, huge = measured;
  registered["options"]["allocation"] = "registered";
  huge["options"]["pages"] = "huge";
  const Compared a({{"a", {measured, registered, huge, rates}}});
  const Sample sample = a.sides[0].groups[0].middle();
  const model::Prediction of = predict(a.sides[0], model::probed_rates(a.sides[0].runs), sample);
  const double all = of.time().total();
  const Record rows = model_rows(a.sides);
  ASSERT_EQ(rows.size(), 3U);
  for (const std::size_t n : {1U, 2U})
    EXPECT_EQ(rows[n].at("not_predicted"),
              n == 1 ? "runs with --allocation registered" : "runs with --pages huge")
        << "the costs are of memory as it comes by default";
  EXPECT_DOUBLE_EQ(rows[0].at("measured").get<double>(), 1);  // with_sweep() has no other phase
  EXPECT_DOUBLE_EQ(rows[0].at("predicted").get<double>(), all);
  EXPECT_DOUBLE_EQ(rows[0].at("error").get<double>(), all / 1 - 1);
}

}  // namespace
}  // namespace memstencil::compare
