// A field written by the blocks of all ranks, with padded rows; and failures that all ranks share.
#include "app/common/ranks/collectively.hpp"
#include "app/common/record/results_file.hpp"
#include "app/common/runtime/failure.hpp"
#include "tests/app/common/late_files.hpp"
#include "tests/app/common/temporary_folder.hpp"
#include "tests/app/common/text_checks.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <numeric>

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

TEST_F(ResultsRanksTest, AFieldIsTheSameForEveryNumberOfRanks) {
  const FieldBlock mine = block();
  check_output(communicator, path, Existing::Refuse);
  write_run(communicator, path, Existing::Refuse, {{"n", 1}}, &mine);
  write_run(communicator, path, Existing::Append, {{"n", 2}}, &mine);
  if (!communicator.root()) return;
  std::vector<float> expected(extents[0] * extents[1] * extents[2]);
  std::iota(expected.begin(), expected.end(), 0.0f);
  const ResultsFile file(path);
  for (const std::string run : {"0001", "0002"}) {
    const StoredField field = file.field(run, "pressure");
    EXPECT_EQ(field.extents, extents);
    EXPECT_EQ(field.values, expected);
  }
  EXPECT_EQ(file.run("0002"), (Record{{"n", 2}})) << "the field is no part of the record";
  EXPECT_EQ(folder->content().size(), 1U);
}

TEST_F(ResultsRanksTest, AFieldIsAddedToWhatAnotherProgramWroteMeanwhile) {
  const FieldBlock mine = block();
  write_run(communicator, path, Existing::Refuse, {{"n", 1}}, &mine);
  write_run(communicator, path, Existing::Append, {{"n", 2}}, &mine);
  if (communicator.root()) {
    const std::string longer = folder->file("longer.h5");
    std::filesystem::rename(path, longer);
    before_synchronising = [=, this] {
      if (std::filesystem::exists(longer)) std::filesystem::rename(longer, path);
    };
  }
  write_run(communicator, path, Existing::Append, {{"n", 3}}, &mine);
  before_synchronising = nullptr;
  if (!communicator.root()) return;
  const ResultsFile file(path);
  ASSERT_EQ(file.runs(), (std::vector<std::string>{"0001", "0002", "0003"}));
  EXPECT_EQ(file.field("0003", "pressure").values, file.field("0001", "pressure").values);
  EXPECT_EQ(folder->content().size(), 1U);
}

TEST_F(ResultsRanksTest, BlocksThatAreNotTheWholeFieldAreRefused) {
  FieldBlock mine = block();
  mine.count[0] -= 1;
  EXPECT_THROW(write_run(communicator, path, Existing::Refuse, {{"n", 1}}, &mine),
               std::logic_error);
  communicator.barrier();
  if (!communicator.root()) return;
  EXPECT_TRUE(folder->content().empty());
}

TEST_F(ResultsRanksTest, AnUnwritableOutputFailsOnAllRanksWithOneLine) {
  const std::string nowhere = path + "/none/result.h5";
  try {
    check_output(communicator, nowhere, Existing::Refuse);
    FAIL();
  } catch (const CollectiveFailure& failure) {
    EXPECT_EQ(failure.code(), ExitCode::Other);
    EXPECT_TRUE(contains(failure.what(), "there is no folder"));
  }
}

}  // namespace
}  // namespace memstencil
