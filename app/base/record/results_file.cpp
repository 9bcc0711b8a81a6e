// Results in HDF5: one run, one file, written once (docs/reference/result-format.md is the schema).
#include "app/base/record/results_file.hpp"

#include "app/base/ranks/collectively.hpp"
#include "app/base/record/hdf5.hpp"
#include "app/base/record/output_file.hpp"
#include "app/base/runtime/failure.hpp"

#include <fmt/format.h>
#include <unistd.h>
#include <zlib.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

namespace memstencil {

namespace fs = std::filesystem;

namespace {

/// The same failure with the file's name in front, as users know it.
template <class Step>
auto naming(const std::string& action, const std::string& path, Step step) {
  try {
    return step();
  } catch (const Failure& failure) {
    throw Failure(failure.code(), fmt::format("cannot {} {}: {}", action, path, failure.what()));
  }
}

Existing existing(const Output& output) {
  return output.force && !output.is_folder() ? Existing::Replace : Existing::Refuse;
}

/// HDF5 calls the bytes in front of a file its user block, and looks for its own first byte behind
/// it. "memstencil-results 3 BYTES CRC32" and zeros: the number of bytes of the image that follows,
/// and their CRC-32 (zlib's, eight hexadecimal digits).
constexpr std::size_t user_block_bytes = 512;

std::string user_block(std::string_view image, int version) {
  const auto crc = crc32_z(0, reinterpret_cast<const unsigned char*>(image.data()), image.size());
  std::string block = fmt::format("{} {} {} {:08x}\n", results_schema, version, image.size(), crc);
  block.resize(user_block_bytes, '\0');
  return block;
}

std::string bytes_of(const Record& record) {
  std::string bytes = hdf5::image_of(record, user_block_bytes);
  const std::string_view behind = std::string_view(bytes).substr(user_block_bytes);
  return bytes.replace(0, user_block_bytes, user_block(behind, results_schema_version));
}

/// The field first: a result never names a field that is not there.
/// @throws NameIsTaken: then neither is there
void publish(const std::string& path, Existing existing, Record record, NewFile* field) {
  const std::string beside = field_path(path);
  if (field != nullptr) record["field"] = fs::path(beside).filename();
  NewFile file(path);
  file.write(naming("write", path, [&] { return bytes_of(record); }));
  if (field != nullptr) field->publish(beside, existing);
  try {
    file.publish(path, existing);
  } catch (...) {
    // With --force the name may have been an older field's: a new one is better than none.
    if (field != nullptr && existing == Existing::Refuse) unlink(beside.c_str());
    throw;
  }
}

/// In a folder under the first number that no other run has. @returns the path
std::string publish(const Output& output, const std::string& name, const Record& record,
                    NewFile* field) {
  const bool in_folder = output.is_folder();
  for (int number = 1;; ++number) {
    fs::path path(output.path);
    if (in_folder) path /= fmt::format("{}-{}.h5", name, number);
    try {
      publish(path, existing(output), record, field);
      return path;
    } catch (const NameIsTaken&) {
      if (!in_folder) throw;
    }
  }
}

/// Made where it is not there yet. Then it vanishes with the object if it is still empty.
std::shared_ptr<void> make_folder(const Output& output) {
  std::error_code error;
  const bool made = fs::create_directory(fs::path(output.path) / "", error);
  if (error)
    throw Failure(ExitCode::Other,
                  fmt::format("cannot write {}: {}", output.path, error.message()));
  return {nullptr, [path = made ? output.path : ""](void*) { rmdir(path.c_str()); }};
}

Failure unreadable(const std::string& why) { return Failure(ExitCode::Other, why); }

/// Booleans of version 2 are enums, and its empty arrays datasets: hdf5::record_in() reads both.
constexpr int oldest_schema_version = 2;

/// Of the results that begin so.
int schema_version(const std::string& start) {
  if (start.empty()) throw unreadable("it is empty");
  if (start.starts_with("\x89HDF\r\n\x1a\n"))
    throw unreadable(
        "it is an HDF5 file without the first line of a result: no memstencil result, or one that "
        "another tool has rewritten (h5repack)");
  if (!start.starts_with(results_schema)) throw unreadable("it is no memstencil result");
  int version = 0;
  if (std::sscanf(start.c_str() + std::strlen(results_schema), " %d", &version) != 1)
    throw unreadable("damaged: its first line cannot be read");
  if (version < oldest_schema_version || version > results_schema_version)
    throw unreadable(
        fmt::format("its results have schema version {}, this program knows versions {} to {}",
                    version, oldest_schema_version, results_schema_version));
  return version;
}

/// A file whose bytes are as they were written, its block included.
/// @throws Failure(Other) without the file's name if they are not, and where it is no result
std::string whole_file(const std::string& path) {
  std::error_code unknown;  // where this cannot be found out, opening the file says why
  const fs::file_status status = fs::status(path, unknown);
  if (fs::is_directory(status)) throw unreadable("it is a directory");
  // A pipe without a writer would be waited for.
  if (fs::exists(status) && !fs::is_regular_file(status))
    throw unreadable("it is not a regular file");
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::string bytes;
  const auto read_up_to = [&](std::size_t length) {
    const std::size_t done = bytes.size();
    bytes.resize(length);
    file.read(bytes.data() + done, static_cast<std::streamsize>(length - done));
    if (!file && !file.eof()) throw unreadable(std::strerror(errno));
    bytes.resize(done + static_cast<std::size_t>(file.gcount()));
  };
  read_up_to(user_block_bytes);
  const int version = schema_version(bytes);
  read_up_to(fs::file_size(path));
  const std::string_view all = bytes;
  if (all.size() < user_block_bytes ||
      !all.starts_with(user_block(all.substr(user_block_bytes), version)))
    throw unreadable(
        "its bytes are not those that its first line counts and sums up: damaged, or rewritten by "
        "another tool (h5repack)");
  return bytes;
}

}  // namespace

std::string hdf5_library() {
  unsigned major = 0, minor = 0, release = 0;
  H5get_libversion(&major, &minor, &release);
  return fmt::format("HDF5 {}.{}.{}", major, minor, release);
}

void check_output(const Communicator& communicator, const Output& output, bool with_field) {
  collectively(communicator, [&] {
    if (!communicator.root()) return;
    if (output.is_folder()) return check_output_folder(output.path);
    check_output_path(output.path, existing(output));
    if (with_field) check_output_path(field_path(output.path), existing(output));
  });
}

std::string write_result(const Communicator& communicator, const Output& output,
                         const std::string& name, const Record& record, const FieldBlock* field) {
  hdf5::silence();
  std::shared_ptr<void> folder;     // rank 0's
  std::optional<NewFile> of_field;  // rank 0's
  std::string hidden, path;
  collectively(communicator, [&] {
    if (!communicator.root()) return;
    require_finite(record);
    if (output.is_folder()) folder = make_folder(output);
    if (field == nullptr) return;
    const fs::path inside =
        output.is_folder() ? fs::path(output.path) / name : fs::path(output.path);
    hidden = of_field.emplace(inside).hidden_path();
  });
  std::optional<Failure> no_field;
  if (field != nullptr) {
    communicator.broadcast(hidden);
    try {
      hdf5::write_field(communicator, hidden, *field);
    } catch (const CollectiveFailure& failure) {
      no_field = failure;
      of_field.reset();
    }
  }
  collectively(communicator, [&] {
    if (!communicator.root()) return;
    try {
      path = publish(output, name, record, of_field ? &*of_field : nullptr);
    } catch (const Failure& failure) {
      if (!of_field) throw;
      no_field = failure;  // if it is not the field's, the result fails again
      of_field.reset();
      path = publish(output, name, record, nullptr);
    }
    if (no_field)
      throw Failure(no_field->code(), fmt::format("cannot write the field of {}: {}; the result is "
                                                  "written without it",
                                                  output.path, no_field->what()));
  });
  return path;
}

Record read_result(const std::string& path) {
  hdf5::silence();
  return naming("read", path, [&] {
    std::string bytes = whole_file(path);
    const int version = schema_version(bytes);
    Record record = hdf5::record_in(std::move(bytes));
    // No checksum covers the first line itself.
    if (record.value("schema_version", version) != version)
      throw unreadable("damaged: its first line and its record have different schema versions");
    return record;
  });
}

}  // namespace memstencil
