// Results in HDF5: one run, one file, written once (docs/reference/result-format.md is the schema).
#pragma once

#include "app/base/ranks/communicator.hpp"
#include "app/base/record/record.hpp"

#include <array>
#include <cstddef>
#include <filesystem>
#include <string>

namespace memstencil {

/// "HDF5 1.10.8", or "HDF5 none" for a program built without.
std::string hdf5_library();

/// One rank's block of a float field with extents I x J x K, K fastest. Blocks of different ranks
/// do not overlap, and together they are the field.
struct FieldBlock {
  std::string name;  ///< of the dataset: "pressure"
  std::array<std::size_t, 3> extents{};
  std::array<std::size_t, 3> start{};
  std::array<std::size_t, 3> count{};
  const float* data = nullptr;  ///< the block's first element, readable by the host
  std::size_t row_pitch = 0;    ///< floats from (i,j,k) to (i,j+1,k)
  std::size_t plane_rows = 0;   ///< rows from (i,j,k) to (i+1,j,k)
};

/// The place of a run's files, as --output names it.
struct Output {
  std::string path;    ///< FILE.h5; or a folder that exists, or a name that ends with a slash
  bool force = false;  ///< replaces FILE.h5

  bool is_folder() const {
    std::error_code unknown;
    return path.ends_with('/') || std::filesystem::is_directory(path, unknown);
  }
};

/// Next to the result: NAME.field for NAME.h5.
inline std::string field_path(std::filesystem::path result) {
  return result.extension() == ".h5" ? result.replace_extension(".field") : result += ".field";
}

/// Checks that write_result() would find its place, before anything is computed. Collective; rank 0
/// looks.
/// @param with_field will there be one? It stands beside the result
/// @throws CollectiveFailure(Other): a file exists, or cannot be made;
///         CollectiveFailure(Machine): built without HDF5
void check_output(const Communicator& communicator, const Output& output, bool with_field);

/// Writes rank 0's record, and the field where one is given (on all ranks or on none). Collective.
/// Each file appears whole or not at all; the field's, NAME.field, comes first, and the record
/// names it as `field`. A field that cannot be written is a failure, after the result has been.
/// @param name of the file in a folder, where a number follows: "himeno-XL-device-20261124T031512Z"
/// @returns the result's path on rank 0
/// @throws CollectiveFailure as check_output, (Other) if the disk is full, (Verification) if
///         the record holds a number that is not finite
std::string write_result(const Communicator& communicator, const Output& output,
                         const std::string& name, const Record& record,
                         const FieldBlock* field = nullptr);

/// The record of a file.
/// @throws Failure(Other) with one line that names the file: it is damaged, or of another schema or
///         version; Failure(Machine): built without HDF5
Record read_result(const std::string& path);

}  // namespace memstencil
