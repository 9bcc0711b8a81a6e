// Results in HDF5 by one rank: one run, one file, read back as it was written.
#include "app/base/record/results_file.hpp"
#include "tests/app/base/refusal.hpp"
#include "tests/app/base/temporary_folder.hpp"
#include "tests/app/base/text_checks.hpp"
#include "tests/source_folder.hpp"

#include <gtest/gtest.h>
#include <hdf5.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>

namespace memstencil {
namespace {

Record sample_record() {
  return {{"program", "himeno"},
          {"title", "Größe \"XL\", 多"},
          {"empty", ""},
          {"long", std::string(100'000, 'x') + "end"},
          {"iterations", 3000},
          {"big", std::numeric_limits<std::int64_t>::max()},
          {"negative", -5},
          {"gosa", 8.606862309e-04},
          {"verified", true},
          {"prefetch", false},
          {"seconds", nullptr},
          {"extents", {512, 512, 1024}},
          {"memspace", {{"requested", "managed"}, {"effective", "host"}}},
          {"phases", {{"initialise", 0.25}, {"sweeps", 1.5}}},
          {"sweeps", {{"seconds", {0.5, 0.25, 0.125}}}},
          {"nothing", Record::array()},
          {"group", {{"nothing", Record::array()}}},
          {"object", Record::object()},
          {"mixed_numbers", {1, 2.5}},
          {"names", {"a", "", "ü"}},
          {"answers", {true, false}},
          {"variants",
           {{{"name", "naive"}, {"gbs", {1.0, 2.0}}}, {{"name", "tiled"}, {"gbs", {3.0, 4.0}}}}}};
}

/// Without the order of members, which attributes, groups and datasets do not share.
nlohmann::json unordered(const Record& record) { return nlohmann::json::parse(record.dump()); }

struct ResultsFileTest : ::testing::Test {
  Communicator communicator;
  TemporaryFolder folder;
  std::string path = folder.file("result.h5");

  void write(const Record& record, bool force = false) {
    write_result(communicator, {path, force}, "", record);
  }
  std::string write_into_folder(const Record& record) {
    return write_result(communicator, {folder.path(), false}, "himeno-S-device-20261124T031512Z",
                        record);
  }
};

TEST_F(ResultsFileTest, ARunIsReadBackAsItWasWritten) {
  write(sample_record());
  EXPECT_EQ(unordered(read_result(path)), unordered(sample_record()));
}

TEST_F(ResultsFileTest, AFileOfSchemaVersionTwoIsRead) {
  const Record run =
      read_result(source_folder() +
                  "/inputs/reference/thesis-samples/h200/membench-link-20261123T033954Z-1.h5");
  EXPECT_EQ(run["schema_version"], 2);
  EXPECT_EQ(run["verified"], true);
  EXPECT_EQ(run["machine"]["gpu"]["numa_node"], nullptr);
  EXPECT_EQ(run["probes"][0]["energy"]["gpus"]["throttled"], Record::array());
}

TEST_F(ResultsFileTest, ATextOfOneByteIsNotTakenForAByte) {
  write({{"size", "M"}});
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  const hid_t size = H5Aopen(file, "size", H5P_DEFAULT), type = H5Aget_type(size);
  EXPECT_GT(H5Tget_size(type), 1U);
  H5Tclose(type);
  H5Aclose(size);
  H5Fclose(file);
}

TEST_F(ResultsFileTest, CheckingAnOutputWritesNothing) {
  check_output(communicator, {path, false}, true);
  check_output(communicator, {folder.path(), false}, true);
  check_output(communicator, {folder.file("new/"), false}, true);
  EXPECT_TRUE(folder.content().empty());
}

TEST_F(ResultsFileTest, AFolderThatIsNotThereIsMade) {
  const std::string made =
      write_result(communicator, {folder.file("new/"), false}, "himeno", {{"n", 1}});
  EXPECT_EQ(made, folder.file("new/himeno-1.h5"));
  EXPECT_EQ(read_result(made)["n"], 1);
}

TEST_F(ResultsFileTest, TwelveRunsAtOnceIntoOneFolderAreTwelveFiles) {
  constexpr int runs = 12;
  const auto run = [&](int n) noexcept { write_into_folder({{"n", n}}); };
  std::vector<pid_t> children;
  for (int n = 0; n < runs; ++n) {
    children.push_back(fork());
    if (children.back() != 0) continue;
    run(n);
    _exit(0);
  }
  for (const pid_t child : children) waitpid(child, nullptr, 0);
  std::vector<int> found;
  for (const std::string& name : folder.content())
    found.push_back(read_result(folder.file(name))["n"]);
  std::ranges::sort(found);
  std::vector<int> wanted(runs);
  std::iota(wanted.begin(), wanted.end(), 0);
  EXPECT_EQ(found, wanted);
}

TEST_F(ResultsFileTest, ANumberThatIsNotFiniteIsNeverWritten) {
  const Record record{{"phases", {{"sweeps", std::numeric_limits<double>::quiet_NaN()}}}};
  EXPECT_TRUE(contains(refusal(ExitCode::Verification, [&] { write(record); }), "phases.sweeps"));
  EXPECT_TRUE(folder.content().empty());
}

TEST_F(ResultsFileTest, ArraysOfSeveralKindsAreRefusedAndLeaveNothing) {
  const auto line = [&](const Record& record) {
    return refusal(ExitCode::Other, [&] { write(record); });
  };
  EXPECT_TRUE(contains(line({{"odd", {1, "x"}}}), "'odd' cannot be stored"));
  EXPECT_TRUE(contains(line({{"odd", {{1, 2}, {3, 4}}}}), "'odd' cannot be stored"));
  path = folder.file("new/");
  EXPECT_TRUE(contains(line({{"odd", {1, "x"}}}), "'odd' cannot be stored"));
  EXPECT_TRUE(folder.content().empty());
}

TEST_F(ResultsFileTest, AnyNumberOfAttributesAndMembersIsReadBackInOrder) {
  Record record = Record::object();
  for (int n = 0; n < 1000; ++n) {
    record["number " + std::to_string(n)] = n;
    record["text " + std::to_string(n)] = std::string(100, 'x') + std::to_string(n);
  }
  for (int n = 0; n < 1000; ++n) record["group " + std::to_string(n)] = {{"n", n}};
  write(record);
  EXPECT_EQ(read_result(path).dump(), record.dump());
}

TEST_F(ResultsFileTest, TextsOfAnyLengthAreReadBack) {
  Record record = Record::object();
  for (const std::size_t length : {0, 1, 65'000, 65'500, 65'535, 65'536, 65'537, 1'000'000})
    record["text " + std::to_string(length)] = std::string(length, 'x');
  write(record);
  EXPECT_EQ(unordered(read_result(path)), unordered(record));
}

TEST_F(ResultsFileTest, ATextThatIsNotUtf8IsWrittenAndPrinted) {
  const Record record{{"refused", "driver \xff\xfe"}, {"names", {"\xc3", "ok"}}};
  write(record);
  EXPECT_EQ(read_result(path)["refused"].get<std::string>(), "driver \xff\xfe");
  EXPECT_EQ(read_result(path)["names"][0].get<std::string>(), "\xc3");
  EXPECT_TRUE(contains(to_json(record), "driver \xef\xbf\xbd"));
}

TEST_F(ResultsFileTest, MillionsOfSamplesAreReadBack) {
  std::vector<double> samples(3'000'000);
  std::iota(samples.begin(), samples.end(), 0.5);
  write({{"seconds", samples}});
  EXPECT_EQ(read_result(path)["seconds"].get<std::vector<double>>(), samples);
}

}  // namespace
}  // namespace memstencil
