// Cases: labels are equal only where two cases are, and runs are grouped by them.
#include "app/compare/read/sample.hpp"
#include "app/compare/show/answer.hpp"

#include "tests/app/compare/records.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace memstencil::compare {
namespace {

/// A himeno or a transpose with any of the options that runs have.
Record any_record(std::mt19937& random) {
  const auto one_of = [&](const std::vector<Record>& values) {
    return values[std::uniform_int_distribution<std::size_t>(0, values.size() - 1)(random)];
  };
  const bool grid = one_of({true, false}).get<bool>();
  Record record = plain(grid ? "himeno" : "transpose");
  record["machine"] = one;
  const std::string memory = one_of({"device", "managed", "system", "host-pinned"});
  record["memspace"] = {{"requested", memory}, {"effective", memory}};
  record["exec"] = one_of({"device", "host"});
  record["first_touch"] = one_of({"device", "host"});
  record["execution"] = {{"host_threads", one_of({1, 4, 8})}};
  Record& options = record["options"];
  options["prefetch"] = one_of({true, false});
  options["advise"] = one_of({"none", "preferred", "read-mostly"});
  options["pages"] = one_of({"default", "huge"});
  if (grid) {
    record["iterations"] = one_of({10, 100});
    record["sweep"] = one_of({"single", "temporal:2", "temporal:3"});
    record["layout"] = one_of({"arrays", "packed"});
    record["ranks"] = one_of({{1, 1, 1}, {2, 1, 1}, {1, 2, 1}});
    record["halo"] = one_of({"none", "nccl", "staged"});
    options["coefficients"] = one_of({"standard", "random:1"});
    options["pre-touch"] = one_of({"", "device"});
    options["seconds"] = one_of({nullptr, 5.0});
  } else {
    record["type"] = one_of({"float", "double"});
    record["rows"] = one_of({64, 128});
    record["ranks"] = one_of({1, 2});
    record["messages"] = one_of({"none", "nccl"});
    record["variants"][0]["name"] = one_of({"tuned", "naive"});
    options["tile"] = one_of({"16", "32"});
    options["pitch"] = one_of({nullptr, "33"});
  }
  return record;
}

TEST(Cases, LabelsOfTwoHundredRandomPairsAreEqualOnlyWhereTheCasesAre) {
  std::mt19937 random(1);
  for (int n = 0; n < 200; ++n) {
    const auto a = run("a.h5", any_record(random)), b = run("b.h5", any_record(random));
    const Case first = samples_of(a).front().what, second = samples_of(b).front().what;
    EXPECT_EQ(label(first) == label(second), first == second) << label(first) << "\n"
                                                              << a.record.dump() << "\n"
                                                              << b.record.dump();
  }
}

TEST(Cases, OneChangedOptionChangesTheLabel) {
  std::mt19937 random(2);
  const Record like = plain("himeno");
  const auto label_with = [&](const char* path, const Record& value) {
    Record record = like;
    record["machine"] = one;
    record[Record::json_pointer(path)] = value;
    const auto made = run("a.h5", record);
    return label(samples_of(made).front().what);
  };
  const std::string usual = label_with("/options/advise", "none");
  for (const auto& [path, value] :
       std::vector<std::pair<const char*, Record>>{{"/options/advise", "preferred"},
                                                   {"/options/pages", "huge"},
                                                   {"/options/prefetch", true},
                                                   {"/options/pre-touch", "device"},
                                                   {"/options/coefficients", "random:7"},
                                                   {"/first_touch", "device"},
                                                   {"/layout", "packed"},
                                                   {"/sweep", "temporal:3"},
                                                   {"/iterations", 11},
                                                   {"/ranks", {2, 1, 1}},
                                                   {"/size", "M"}})
    EXPECT_NE(label_with(path, value), usual) << path;
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

TEST(Facts, NameAQuotaABusyHostAndClocksThatWereHeldDown) {
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
  Record steady = membench(one, 50), capped = steady;
  steady["probes"][0]["gpu"] = {{"held_down", Record::object()}};
  capped["probes"][0]["gpu"] = {{"held_down", {{"power cap", 0.4}}}};
  const auto facts = [](const Record& a, const Record& b) {
    const Runs runs{run("a/1.h5", a, "a"), run("b/1.h5", b, "b")};
    std::map<std::string, std::string> all;
    const Record answer = answer_of(sides_of(runs, {}), {}, true).record;
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
  EXPECT_EQ(facts(steady, capped),
            (Facts{{"GPU's clocks in probes", "not held down : held down by power cap"}}));
}

}  // namespace
}  // namespace memstencil::compare
