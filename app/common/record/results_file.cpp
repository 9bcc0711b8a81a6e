// Results in HDF5: runs written as records, and read back
// (docs/reference/result-format.md is the schema).
#include "app/common/record/results_file.hpp"

#include "app/common/ranks/collectively.hpp"
#include "app/common/record/checksum.hpp"
#include "app/common/record/hdf5_field.hpp"
#include "app/common/record/hdf5_handle.hpp"
#include "app/common/record/hdf5_record.hpp"
#include "app/common/record/results_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <optional>
#include <stdexcept>

namespace memstencil {

namespace {

/// The same failure with the file's name in front, as users know it.
template <class Step>
auto naming(const std::string& action, const std::string& path, Step step) {
  try {
    return step();
  } catch (const Failure& failure) {
    const std::string line = fmt::format("cannot {} {}: {}", action, path, failure.what());
    if (dynamic_cast<const CollectiveFailure*>(&failure) != nullptr)
      throw CollectiveFailure(failure.code(), line);
    throw Failure(failure.code(), line);
  }
}

/// Nothing is added to what is damaged.
void check_appendable(const std::string& path) {
  std::error_code unknown;
  if (!std::filesystem::exists(path, unknown)) return;
  ask_reader(Reading::Check, path);
}

/// A new file with nothing but its schema, or the copy of an older one.
hdf5::Handle open_hidden(const OutputFile& output) {
  const std::string& path = output.hidden_path();
  if (output.continues()) {
    drop_checksum(path);
    return hdf5::open_file(path, hdf5::Access::Write, "the copy");
  }
  hdf5::Handle file = hdf5::create_file(path, "a new file");
  hdf5::write_record(file,
                     {{"schema", results_schema}, {"schema_version", results_schema_version}});
  hdf5::create_group(file, "runs", 1);
  return file;
}

/// Adds the run with all but the field's values. Returns its group's path in the file.
std::string add_run(hid_t file, const Record& record, const FieldBlock* field) {
  const hdf5::Handle runs = hdf5::open_group(file, "runs");
  std::size_t last = 0;
  for (const std::string& older : hdf5::member_names(runs))
    last = std::max(last, run_number(older).value_or(0));
  const std::string name = hdf5::numbered(last + 1);
  const hdf5::Handle run = hdf5::create_record_group(runs, name, record);
  if (field != nullptr) hdf5::create_field(run, *field);
  return "/runs/" + name;
}

std::size_t bytes_of(const Record& record, const FieldBlock* field) {
  constexpr std::size_t file = std::size_t{1} << 13;  // headers that runs share
  std::size_t bytes = file + hdf5::stored_bytes(record);
  if (field != nullptr)
    bytes += field->extents[0] * field->extents[1] * field->extents[2] * sizeof(float);
  return bytes;
}

/// The place of the run in the file, and the bytes that its checksum leaves out.
struct Written {
  std::string group;
  std::vector<ByteRange> fields;
};

Written write_record_part(const OutputFile& output, const Record& record, const FieldBlock* field) {
  Written written;
  hdf5::Handle file = open_hidden(output);
  try {
    written.group = add_run(file, record, field);
    written.fields = hdf5::field_ranges(file);
    hdf5::check(H5Fflush(file, H5F_SCOPE_LOCAL), "writing the record");
  } catch (...) {
    // It keeps what it could not write and tries again when it closes. Without its blocks the
    // doomed file has room for that.
    output.empty();
    throw;
  }
  file.close("closing");
  return written;
}

void check_covered(const Communicator& communicator, const FieldBlock& block) {
  const auto volume = [](const std::array<std::size_t, 3>& n) {
    return static_cast<double>(n[0]) * static_cast<double>(n[1]) * static_cast<double>(n[2]);
  };
  if (communicator.sum(volume(block.count)) != volume(block.extents))
    throw std::logic_error("the ranks' blocks are not the whole field");
}

/// One attempt. False where another program changed the file between its copy and its new name.
bool written(const Communicator& communicator, const std::string& path, Existing existing,
             const Record& record, const FieldBlock* field) {
  std::optional<OutputFile> output;  // rank 0's
  std::string hidden;
  Written run;
  collectively(communicator, [&] {
    if (!communicator.root()) return;
    require_finite(record);
    output.emplace(path, existing);
    if (existing == Existing::Append) check_appendable(path);
    // Asked before HDF5 has the file: after a write that failed it cannot close it cleanly.
    output->check_room(bytes_of(record, field));
    hidden = output->hidden_path();
    run = naming("write", path, [&] { return write_record_part(*output, record, field); });
    output->reserve();
  });
  if (field != nullptr) {
    check_covered(communicator, *field);
    communicator.broadcast(hidden);
    communicator.broadcast(run.group);
    naming("write", path, [&] { hdf5::write_field(communicator, hidden, run.group, *field); });
  }
  bool published = true;  // by rank 0
  collectively(communicator, [&] {
    if (!communicator.root()) return;
    naming("write", path, [&] { leave_checksum(hidden, run.fields); });
    try {
      output->publish();
    } catch (const ChangedMeanwhile&) {
      published = false;
    }
  });
  return communicator.all(published);
}

}  // namespace

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

void check_output(const Communicator& communicator, const std::string& path, Existing existing,
                  std::size_t bytes) {
  const hdf5::Silence silence;
  collectively(communicator, [&] {
    if (!communicator.root()) return;
    check_output_path(path, existing, bytes);
    if (existing == Existing::Append) check_appendable(path);
  });
}

void write_run(const Communicator& communicator, const std::string& path, Existing existing,
               const Record& record, const FieldBlock* field) {
  const hdf5::Silence silence;
  // Programs that take the lock wait for each other. Others, and those on a file system that cannot
  // lock, may come between: then the run is added to what they wrote.
  constexpr int most_attempts = 100;
  for (int attempt = 1; !written(communicator, path, existing, record, field); ++attempt)
    if (attempt == most_attempts)
      throw CollectiveFailure(
          ExitCode::Other,
          fmt::format("cannot write {}: another program changed it {} times meanwhile", path,
                      attempt));
}

std::optional<std::size_t> run_number(const std::string& name) {
  std::size_t number = 0;
  const char* const end = name.data() + name.size();
  const auto [last, error] = std::from_chars(name.data(), end, number);
  return error == std::errc() && last == end ? std::optional(number) : std::nullopt;
}

ResultsFile::ResultsFile(const std::string& path)
    : path_(path), runs_(ask_reader(Reading::Runs, path)) {}

std::vector<std::string> ResultsFile::runs() const {
  std::vector<std::string> names;
  for (const auto& [name, run] : runs_.items()) names.push_back(name);
  return names;
}

const Record& ResultsFile::run(const std::string& name) const {
  const auto found = runs_.find(name);
  if (found == runs_.end())
    throw Failure(ExitCode::Other,
                  fmt::format("cannot read {}: group /runs/{} is not there", path_, name));
  return *found;
}

StoredField ResultsFile::field(const std::string& run, const std::string& name) const {
  const Record told = ask_reader(Reading::Field, path_, {run, name});
  const auto& bytes = told.at("values").get_binary();
  StoredField field{told.at("extents").get<std::array<std::size_t, 3>>(),
                    std::vector<float>(bytes.size() / sizeof(float))};
  std::memcpy(field.values.data(), bytes.data(), bytes.size());
  return field;
}

}  // namespace memstencil
