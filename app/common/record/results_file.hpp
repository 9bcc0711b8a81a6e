// Results in HDF5: runs written as records, and read back
// (docs/reference/result-format.md is the schema).
#pragma once

#include "app/common/ranks/communicator.hpp"
#include "app/common/record/output_file.hpp"
#include "app/common/record/record.hpp"

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace memstencil {

constexpr const char* results_schema = "memstencil-results";
constexpr int results_schema_version = 1;

/// "HDF5 1.10.8, parallel", "HDF5 1.10.8, serial", or "none" for a program built without.
std::string hdf5_library();

/// One rank's block of a float field with extents I x J x K, K fastest. Blocks of different ranks
/// do not overlap, and together they are the field.
struct FieldBlock {
  std::string name;  ///< of the dataset in the run: "pressure"
  std::array<std::size_t, 3> extents{};
  std::array<std::size_t, 3> start{};
  std::array<std::size_t, 3> count{};
  const float* data = nullptr;  ///< the block's first element, readable by the host
  std::size_t row_pitch = 0;    ///< floats from (i,j,k) to (i,j+1,k)
  std::size_t plane_rows = 0;   ///< rows from (i,j,k) to (i+1,j,k)
};

/// Checks that write_run() would find its place, and room for so many bytes, before anything is
/// computed. Collective; rank 0 looks.
/// @throws CollectiveFailure(Other): the path cannot be written, exists, or (Append) holds no
///         results of this schema and version, or there is no room;
///         CollectiveFailure(Machine): built without HDF5
void check_output(const Communicator& communicator, const std::string& path, Existing existing,
                  std::size_t bytes = 0);

/// Writes rank 0's record, and the field where one is given (on all ranks or on none), as the next
/// run of the file. Collective. The file changes as a whole or not at all.
/// @throws CollectiveFailure as check_output, (Other) where the disk is full, (Verification) where
///         the record holds a number that is not finite
void write_run(const Communicator& communicator, const std::string& path, Existing existing,
               const Record& record, const FieldBlock* field = nullptr);

/// The number that names a run; nothing for what somebody else has put among the runs.
std::optional<std::size_t> run_number(const std::string& name);

/// A field as it was written: all of it, K fastest.
struct StoredField {
  std::array<std::size_t, 3> extents{};
  std::vector<float> values;
};

/// A results file, read by a process of its own (results_reader.hpp). Every function throws
/// Failure(Other) with one line that names the file.
class ResultsFile {
public:
  /// Reads all runs. Refuses what is no HDF5 file, is cut short or damaged, holds another schema or
  /// version, or takes more than 9 s or 1 GB to read.
  explicit ResultsFile(const std::string& path);

  /// Names of the runs in the order of their numbers: "0001", ..., "9999", "10000";
  /// then groups of other names.
  std::vector<std::string> runs() const;
  /// A run as it was written, without its fields.
  const Record& run(const std::string& name) const;
  StoredField field(const std::string& run, const std::string& name) const;

private:
  std::string path_;
  Record runs_;  ///< {name: record}
};

}  // namespace memstencil
