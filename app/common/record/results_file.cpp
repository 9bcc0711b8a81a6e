// Results in HDF5: runs written as records, and read back (docs/reference/result-format.md is the schema).
#include "app/common/record/results_file.hpp"

#include "app/common/ranks/collectively.hpp"
#include "app/common/record/hdf5_field.hpp"
#include "app/common/record/hdf5_handle.hpp"
#include "app/common/record/hdf5_record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>
#include <stdexcept>

namespace memstencil {

namespace {

constexpr const char* schema = "memstencil-results";
constexpr int schema_version = 1;

Failure unreadable(const std::string& path, const std::string& why) {
  return Failure(ExitCode::Other, fmt::format("cannot read {}: {}", path, why));
}

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

/// Open, and known to be of our schema and version.
hdf5::Handle open_results(const std::string& path) {
  errno = 0;
  if (!std::ifstream(path)) throw unreadable(path, std::strerror(errno));
  if (std::filesystem::is_directory(path)) throw unreadable(path, "it is a directory");
  if (H5Fis_hdf5(path.c_str()) <= 0) throw unreadable(path, "it is not an HDF5 file");
  hdf5::Handle file = hdf5::open_file(path, hdf5::Access::Read, "cannot read " + path);
  if (hdf5::read_attribute(file, "schema") != schema)
    throw unreadable(path, "it is an HDF5 file, but holds no memstencil results");
  const Record version = hdf5::read_attribute(file, "schema_version");
  if (version != schema_version)
    throw unreadable(path, fmt::format("its results have schema version {}, this program knows version {}",
                                       version.dump(), schema_version));
  return file;
}

void check_appendable(const std::string& path) {
  if (!std::filesystem::exists(path)) return;
  const hdf5::Handle file = open_results(path);
  naming("read", path, [&] { hdf5::open_group(file, "runs"); });
}

/// A new file with nothing but its schema, or the copy of an older one.
hdf5::Handle open_hidden(const OutputFile& output) {
  const std::string& path = output.hidden_path();
  if (output.continues()) return hdf5::open_file(path, hdf5::Access::Write, "the copy");
  hdf5::Handle file = hdf5::create_file(path, "a new file");
  hdf5::write_record(file, {{"schema", schema}, {"schema_version", schema_version}});
  hdf5::create_group(file, "runs", 1);
  return file;
}

/// The number that names a run; nothing for what somebody else has put among the runs.
std::optional<std::size_t> run_number(const std::string& name) {
  std::size_t number = 0;
  const char* const end = name.data() + name.size();
  const auto [last, error] = std::from_chars(name.data(), end, number);
  return error == std::errc() && last == end ? std::optional(number) : std::nullopt;
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
  if (field != nullptr) bytes += field->extents[0] * field->extents[1] * field->extents[2] * sizeof(float);
  return bytes;
}

std::string write_record_part(const OutputFile& output, const Record& record, const FieldBlock* field) {
  std::string group;
  hdf5::Handle file = open_hidden(output);
  try {
    group = add_run(file, record, field);
    hdf5::check(H5Fflush(file, H5F_SCOPE_LOCAL), "writing the record");
  } catch (...) {
    // It keeps what it could not write and tries again when it closes. Without its blocks the
    // doomed file has room for that.
    output.empty();
    throw;
  }
  file.close("closing");
  return group;
}

void check_covered(const Communicator& communicator, const FieldBlock& block) {
  const auto volume = [](const std::array<std::size_t, 3>& n) {
    return static_cast<double>(n[0]) * static_cast<double>(n[1]) * static_cast<double>(n[2]);
  };
  std::array<double, 1> points{volume(block.count)};
  communicator.sum(points);
  if (points[0] != volume(block.extents)) throw std::logic_error("the ranks' blocks are not the whole field");
}

/// One attempt. False where another program changed the file between its copy and its new name.
bool written(const Communicator& communicator, const std::string& path, Existing existing,
             const Record& record, const FieldBlock* field) {
  std::optional<OutputFile> output;  // rank 0's
  std::string hidden, group;
  collectively(communicator, [&] {
    if (!communicator.root()) return;
    require_finite(record);
    output.emplace(path, existing);
    if (existing == Existing::Append) check_appendable(path);
    // Asked before HDF5 has the file: after a write that failed it cannot close it cleanly.
    output->check_room(bytes_of(record, field));
    hidden = output->hidden_path();
    group = naming("write", path, [&] { return write_record_part(*output, record, field); });
    output->reserve();
  });
  if (field != nullptr) {
    check_covered(communicator, *field);
    communicator.broadcast(hidden);
    communicator.broadcast(group);
    naming("write", path, [&] { hdf5::write_field(communicator, hidden, group, *field); });
  }
  std::array<double, 1> published{1.0};
  collectively(communicator, [&] {
    if (!communicator.root()) return;
    try {
      output->publish();
    } catch (const ChangedMeanwhile&) {
      published[0] = 0.0;
    }
  });
  communicator.minimum(published);
  return published[0] != 0.0;
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
  // Programs that take the lock wait for each other. Others, and those on a file system that cannot lock, may
  // come between: then the run is added to what they wrote.
  constexpr int most_attempts = 100;
  for (int attempt = 1; !written(communicator, path, existing, record, field); ++attempt)
    if (attempt == most_attempts)
      throw CollectiveFailure(
          ExitCode::Other,
          fmt::format("cannot write {}: another program changed it {} times meanwhile", path, attempt));
}

ResultsFile::ResultsFile(const std::string& path) : path_(path) {
  const hdf5::Silence silence;
  open_results(path_);
}

std::vector<std::string> ResultsFile::runs() const {
  const hdf5::Silence silence;
  const hdf5::Handle file = open_results(path_);
  auto names = naming("read", path_, [&] { return hdf5::member_names(hdf5::open_group(file, "runs")); });
  // As text 10000 comes before 9999, and a file that another program copied may not know its order.
  std::ranges::stable_sort(names, {}, [](const std::string& name) {
    return run_number(name).value_or(std::numeric_limits<std::size_t>::max());
  });
  return names;
}

Record ResultsFile::run(const std::string& name) const {
  const hdf5::Silence silence;
  const hdf5::Handle file = open_results(path_);
  return naming("read", path_, [&] { return hdf5::read_record(hdf5::open_group(file, "/runs/" + name)); });
}

StoredField ResultsFile::field(const std::string& run, const std::string& name) const {
  const hdf5::Silence silence;
  const hdf5::Handle file = open_results(path_);
  return naming("read", path_,
                [&] { return hdf5::read_field(hdf5::open_group(file, "/runs/" + run), name); });
}

}  // namespace memstencil
