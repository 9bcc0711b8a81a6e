// Results in HDF5: one run, one file, written once (docs/reference/result-format.md is the schema).
#include "app/base/record/results_file.hpp"

#include "app/base/ranks/collectively.hpp"
#include "app/base/record/hdf5_field.hpp"
#include "app/base/record/hdf5_handle.hpp"
#include "app/base/record/hdf5_record.hpp"
#include "app/base/record/output_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <optional>

namespace memstencil {

namespace fs = std::filesystem;

namespace {

/// The same failure with the file's name in front, as users know it.
template <class Step>
auto naming(const std::string& action, const std::string& path, Step step) {
  try {
    return step();
  } catch (const CollectiveFailure& failure) {
    throw CollectiveFailure(failure.code(),
                            fmt::format("cannot {} {}: {}", action, path, failure.what()));
  } catch (const Failure& failure) {
    throw Failure(failure.code(), fmt::format("cannot {} {}: {}", action, path, failure.what()));
  }
}

Existing existing(const Output& output) {
  return output.force && !output.is_folder() ? Existing::Replace : Existing::Refuse;
}

/// Beside the result: NAME.field for NAME.h5.
std::string field_path(const std::string& result) {
  fs::path path(result);
  return path.extension() == ".h5" ? path.replace_extension(".field") : path += ".field";
}

std::string image_of(const Record& record) {
  hdf5::NewImage image(user_block_bytes, hdf5::members_of(record));
  hdf5::write_record(hdf5::open_group(image.file(), "/"), record);
  std::string bytes = image.finish();
  const std::string_view behind = std::string_view(bytes).substr(user_block_bytes);
  return bytes.replace(0, user_block_bytes, user_block(behind));
}

/// The field first: a result never names a field that is not there.
/// @throws NameIsTaken: then neither is there
void publish(const std::string& path, Existing existing, Record record, NewFile* field) {
  const std::string beside = field_path(path);
  if (field != nullptr) record["field"] = fs::path(beside).filename();
  NewFile file(path);
  file.write(naming("write", path, [&] { return image_of(record); }));
  if (field != nullptr) field->publish(beside, existing);
  try {
    file.publish(path, existing);
  } catch (...) {
    // With --force the name may have been an older field's: a new one is better than none.
    if (field != nullptr && existing == Existing::Refuse) unlink(beside.c_str());
    throw;
  }
}

/// Under the first number that no other run has.
std::string publish_in_folder(const fs::path& folder, const std::string& name, const Record& record,
                              NewFile* field) {
  for (int number = 1;; ++number) {
    const std::string path = folder / fmt::format("{}-{}.h5", name, number);
    try {
      publish(path, Existing::Refuse, record, field);
      return path;
    } catch (const NameIsTaken&) {
    }
  }
}

/// Made where it is to be one and is not there yet.
void make_folder(const Output& output) {
  std::error_code error;
  fs::create_directory(fs::path(output.path) / "", error);
  if (error)
    throw Failure(ExitCode::Other,
                  fmt::format("cannot write {}: {}", output.path, error.message()));
}

}  // namespace

bool Output::is_folder() const {
  std::error_code unknown;
  return path.ends_with('/') || fs::is_directory(path, unknown);
}

std::string hdf5_library() {
  unsigned major = 0, minor = 0, release = 0;
  H5get_libversion(&major, &minor, &release);
#ifdef H5_HAVE_PARALLEL
  const char* kind = "parallel";
#else
  const char* kind = "serial";
#endif
  return fmt::format("HDF5 {}.{}.{}, {}", major, minor, release, kind);
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
  const hdf5::Silence silence;
  std::optional<NewFile> of_field;  // rank 0's
  std::string hidden, path;
  collectively(communicator, [&] {
    if (!communicator.root()) return;
    require_finite(record);
    if (output.is_folder()) make_folder(output);
    if (field == nullptr) return;
    const fs::path inside =
        output.is_folder() ? fs::path(output.path) / name : fs::path(output.path);
    hidden = of_field.emplace(inside, NewFile::Name::Hidden).hidden_path();
  });
  if (field != nullptr) {
    communicator.broadcast(hidden);
    naming("write", output.path, [&] { hdf5::write_field(communicator, hidden, *field); });
  }
  collectively(communicator, [&] {
    if (!communicator.root()) return;
    NewFile* const beside = of_field ? &*of_field : nullptr;
    if (output.is_folder()) {
      path = publish_in_folder(output.path, name, record, beside);
    } else {
      path = output.path;
      publish(path, existing(output), record, beside);
    }
  });
  return path;
}

Record read_result(const std::string& path) {
  const hdf5::Silence silence;
  return naming("read", path, [&] {
    const hdf5::Handle file = hdf5::open_image(read_whole_result(path));
    return hdf5::read_record(hdf5::open_group(file, "/"));
  });
}

}  // namespace memstencil
