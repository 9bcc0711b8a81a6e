// A field written by the blocks of all ranks, with padded rows; and failures that all ranks share.
#include "app/base/ranks/collectively.hpp"
#include "app/base/record/results_file.hpp"
#include "app/base/runtime/failure.hpp"
#include "tests/app/base/refusal.hpp"
#include "tests/app/base/temporary_folder.hpp"
#include "tests/app/base/text_checks.hpp"

#include <gtest/gtest.h>
#include <hdf5.h>

#include <memory>
#include <numeric>
#include <optional>

namespace memstencil {
namespace {

constexpr std::array<std::size_t, 3> extents{9, 7, 11};

float value(std::size_t i, std::size_t j, std::size_t k) {
  return static_cast<float>((i * extents[1] + j) * extents[2] + k);
}

struct ResultsRanksTest : ::testing::Test {
  Communicator communicator;
  std::unique_ptr<TemporaryFolder> folder;
  std::string path;
  std::vector<float> storage;

  /// Rank 0's folder, for all.
  void SetUp() override {
    if (communicator.root()) folder = std::make_unique<TemporaryFolder>();
    if (communicator.root()) path = folder->file("result.h5");
    communicator.broadcast(path);
  }
  void TearDown() override { communicator.barrier(); }

  /// The rank's share of j, of odd widths, within an array that has halos and padding.
  FieldBlock block() {
    const auto rank = static_cast<std::size_t>(communicator.rank());
    const auto size = static_cast<std::size_t>(communicator.size());
    const std::size_t first = extents[1] * rank / size, last = extents[1] * (rank + 1) / size;
    FieldBlock block;
    block.name = "pressure";
    block.extents = extents;
    block.start = {0, first, 0};
    block.count = {extents[0], last - first, extents[2]};
    block.row_pitch = extents[2] + 5;
    block.plane_rows = block.count[1] + 2;
    storage.assign((extents[0] + 2) * block.plane_rows * block.row_pitch, -1.0f);
    const std::size_t inner = (block.plane_rows + 1) * block.row_pitch + 1;
    for (std::size_t i = 0; i < block.count[0]; ++i)
      for (std::size_t j = 0; j < block.count[1]; ++j)
        for (std::size_t k = 0; k < block.count[2]; ++k)
          storage[inner + (i * block.plane_rows + j) * block.row_pitch + k] =
              value(i, first + j, k);
    block.data = storage.data() + inner;
    return block;
  }
};

/// The dataset of the field's file, K fastest.
std::vector<float> field_of(const std::string& path) {
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  const hid_t dataset = H5Dopen2(file, "pressure", H5P_DEFAULT);
  const hid_t space = H5Dget_space(dataset);
  std::array<hsize_t, 3> found{};
  H5Sget_simple_extent_dims(space, found.data(), nullptr);
  EXPECT_EQ(found, (std::array<hsize_t, 3>{extents[0], extents[1], extents[2]}));
  std::vector<float> values(found[0] * found[1] * found[2]);
  H5Dread(dataset, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
  H5Sclose(space);
  H5Dclose(dataset);
  H5Fclose(file);
  return values;
}

TEST_F(ResultsRanksTest, AFieldIsTheSameForEveryNumberOfRanks) {
  const FieldBlock mine = block();
  check_output(communicator, Output{path, false}, true);
  write_result(communicator, {path, false}, "", {{"n", 1}}, &mine);
  if (!communicator.root()) return;
  std::vector<float> expected(extents[0] * extents[1] * extents[2]);
  std::iota(expected.begin(), expected.end(), 0.0f);
  EXPECT_EQ(field_of(folder->file("result.field")), expected);
  EXPECT_EQ(read_result(path), (Record{{"n", 1}, {"field", "result.field"}}));
  EXPECT_EQ(folder->content().size(), 2U);
}

TEST_F(ResultsRanksTest, AFieldInAFolderHasItsResultsName) {
  const FieldBlock mine = block();
  std::string into = communicator.root() ? folder->path().string() : "";
  communicator.broadcast(into);
  if (communicator.root()) {
    folder->write("run-1.field", "of a run that was killed");
    folder->write("run-2.h5", "of a run without a field");
  }
  communicator.barrier();
  write_result(communicator, {into, false}, "run", {{"n", 1}}, &mine);
  if (!communicator.root()) return;
  EXPECT_EQ(read_result(folder->file("run-3.h5"))["field"], "run-3.field");
  EXPECT_EQ(field_of(folder->file("run-3.field")).back(), value(8, 6, 10));
  EXPECT_EQ(folder->content().size(), 4U);
}

TEST_F(ResultsRanksTest, AFieldThatExistsIsRefusedBeforeTheRun) {
  if (communicator.root()) folder->write("result.field", "older");
  communicator.barrier();
  EXPECT_THROW(check_output(communicator, Output{path, false}, true), CollectiveFailure);
  check_output(communicator, Output{path, false}, false);
  check_output(communicator, Output{path, true}, true);
  // Taken during the run it costs the field alone.
  const FieldBlock mine = block();
  const auto write = [&] { write_result(communicator, {path, false}, "", {{"n", 1}}, &mine); };
  EXPECT_TRUE(contains(refusal(ExitCode::Other, write), "without it"));
  EXPECT_TRUE(contains(refusal(ExitCode::Other, write), "result.h5: it exists"));
  if (!communicator.root()) return;
  EXPECT_EQ(read_result(path), (Record{{"n", 1}}));
  EXPECT_EQ(file_content(folder->file("result.field")), "older");
}

TEST_F(ResultsRanksTest, ADiskThatIsFullForOneRankCostsTheFieldOnAllAndNotTheResult) {
  if (communicator.size() == 1) GTEST_SKIP() << "its disk would be full for the result, too";
  const FieldBlock mine = block();
  std::optional<SmallDisk> disk;  // not that of rank 0, which writes the result
  if (communicator.rank() == communicator.size() - 1) disk.emplace();
  const std::string what = refusal(ExitCode::Other, [&] {
    write_result(communicator, {path, false}, "", {{"n", 1}}, &mine);
  });
  disk.reset();
  EXPECT_TRUE(contains(what, "File too large")) << what;
  if (!communicator.root()) return;
  EXPECT_EQ(read_result(path), (Record{{"n", 1}}));
  EXPECT_EQ(folder->content().size(), 1U);
}

TEST_F(ResultsRanksTest, BlocksThatAreNotTheWholeFieldAreRefused) {
  FieldBlock mine = block();
  mine.count[0] -= 1;
  EXPECT_THROW(write_result(communicator, {path, false}, "", {{"n", 1}}, &mine), std::logic_error);
  communicator.barrier();
  if (!communicator.root()) return;
  EXPECT_TRUE(folder->content().empty());
}

}  // namespace
}  // namespace memstencil
