// HDF5's errors and its properties of files; and a field of all ranks into a file of its own: HDF5
// makes the file, and then tells where the values stand in it. Each rank that sees the file writes
// its block there; rank 0 writes those of others.
#include "app/base/ranks/collectively.hpp"
#include "app/base/record/hdf5.hpp"
#include "app/base/record/output_file.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

// Parallel file systems often cannot lock, and nobody else knows the new file's hidden name. HDF5
// 1.10.7 and 1.12.1 were the first that could be told so.
#if H5_VERSION_GE(1, 12, 1) || (H5_VERSION_GE(1, 10, 7) && !H5_VERSION_GE(1, 11, 0))
#define MEMSTENCIL_HDF5_FILE_LOCKING
#endif

namespace memstencil::hdf5 {

namespace {

/// The first thing that went wrong; for a failed system call what the system said of it.
std::string reason() {
  std::string text;
  const auto innermost = [](unsigned depth, const H5E_error2_t* error, void* out) -> herr_t {
    if (depth == 0 && error->desc != nullptr) *static_cast<std::string*>(out) = error->desc;
    return 0;
  };
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, innermost, &text);
  const std::string mark = "error message = '";
  const std::size_t start = text.find(mark);
  if (start == std::string::npos) return text.empty() ? "HDF5 gives no reason" : text;
  const std::size_t word = start + mark.size();
  return text.substr(word, text.find('\'', word) - word);
}

[[noreturn]] void refuse() { throw Failure(ExitCode::Other, std::strerror(errno)); }

/// Makes the file with the dataset, whose values are not written yet. @returns their first byte
off_t create_field(const std::string& path, const FieldBlock& block) {
  const Handle access = file_access(), properties = H5Pcreate(H5P_DATASET_CREATE);
#ifdef MEMSTENCIL_HDF5_FILE_LOCKING
  check(H5Pset_file_locking(access, false, true));
#endif
  check(H5Pset_alloc_time(properties, H5D_ALLOC_TIME_EARLY));
  check(H5Pset_fill_time(properties, H5D_FILL_TIME_NEVER));
  Handle file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access);
  const std::array<hsize_t, 3> extents{block.extents[0], block.extents[1], block.extents[2]};
  const Handle space = H5Screate_simple(3, extents.data(), nullptr);
  Handle dataset = H5Dcreate2(file, block.name.c_str(), H5T_IEEE_F32LE, space, H5P_DEFAULT,
                              properties, H5P_DEFAULT);
  const haddr_t first = H5Dget_offset(dataset);
  if (first == HADDR_UNDEF) throw std::logic_error("the field's file has no room for its values");
  dataset.close();
  file.close();
  return static_cast<off_t>(first);
}

/// Takes the disk's blocks for the file's whole length: a full disk is found here. File systems
/// that cannot do it (NFS before 4.2) go without.
void reserve_blocks(int file) {
  struct stat status {};
  if (fstat(file, &status) == 0 &&
      (fallocate(file, 0, 0, status.st_size) == 0 || errno == EOPNOTSUPP))
    return;
  refuse();
}

std::size_t volume(const std::array<std::size_t, 3>& n) { return n[0] * n[1] * n[2]; }

/// `values` gets the rows of plane i of the block, one after the other.
void read_plane(const FieldBlock& block, std::size_t i, std::vector<float>& values) {
  values.clear();
  for (std::size_t j = 0; j < block.count[1]; ++j) {
    const float* row = block.data + (i * block.plane_rows + j) * block.row_pitch;
    values.insert(values.end(), row, row + block.count[2]);
  }
}

/// @param first byte of the field in the file
void write_plane(int file, off_t first, const FieldBlock& block, std::size_t i,
                 const std::vector<float>& values) {
  // Whole rows lie one after the other in the file, too.
  const std::size_t pieces = block.count[2] == block.extents[2] ? 1 : block.count[1];
  const std::size_t length = pieces == 0 ? 0 : values.size() / pieces * sizeof(float);
  const auto* const bytes = reinterpret_cast<const char*>(values.data());
  for (std::size_t j = 0; j < pieces; ++j) {
    const std::size_t row = (block.start[0] + i) * block.extents[1] + block.start[1] + j;
    const std::size_t at = (row * block.extents[2] + block.start[2]) * sizeof(float);
    if (lseek(file, first + static_cast<off_t>(at), SEEK_SET) < 0 ||
        !write_all(file, {bytes + j * length, length}))
      refuse();
  }
}

void write_own(int file, off_t first, const FieldBlock& block, std::vector<float>& plane) {
  for (std::size_t i = 0; i < block.count[0]; ++i) {
    read_plane(block, i, plane);
    write_plane(file, first, block, i, plane);
  }
  if (fsync(file) != 0) refuse();  // another node's
}

void send_planes(const Communicator& communicator, const FieldBlock& block,
                 std::vector<float>& plane) {
  for (std::size_t i = 0; i < block.count[0]; ++i) {
    read_plane(block, i, plane);
    const Message message{
        .peer = 0, .send = plane.data(), .send_bytes = plane.size() * sizeof(float)};
    communicator.exchange({&message, 1});
  }
}

}  // namespace

void check(herr_t result) {
  if (result < 0) throw Failure(ExitCode::Other, reason());
}

Handle file_access() {
  Handle properties = H5Pcreate(H5P_FILE_ACCESS);
  check(H5Pset_libver_bounds(properties, H5F_LIBVER_V18, H5F_LIBVER_LATEST));
  return properties;
}

void keep_order(hid_t properties) {
  constexpr unsigned ordered = H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED;
  constexpr unsigned in_header = 256;
  check(H5Pset_link_phase_change(properties, in_header, in_header));
  check(H5Pset_attr_phase_change(properties, in_header, in_header));
  check(H5Pset_obj_track_times(properties, false));
  check(H5Pset_link_creation_order(properties, ordered));
  check(H5Pset_attr_creation_order(properties, ordered));
}

void write_field(const Communicator& communicator, const std::string& path,
                 const FieldBlock& block) {
  off_t first = 0;
  Descriptor file(-1);
  const auto open_file = [&] { file = Descriptor(open(path.c_str(), O_WRONLY | O_CLOEXEC)); };
  collectively(communicator, [&] {
    if (!communicator.root()) return;
    struct rlimit limit {};  // HDF5, whose file could not grow, would crash at the end (ulimit -f)
    getrlimit(RLIMIT_FSIZE, &limit);
    if (volume(block.extents) * sizeof(float) + 4096 > limit.rlim_cur)  // its head is smaller
      throw Failure(ExitCode::Other, std::strerror(EFBIG));
    first = create_field(path, block);
    open_file();
    if (file < 0) refuse();
    reserve_blocks(file);
  });
  if (!communicator.root()) open_file();
  const std::vector<Record> parts = gathered(
      communicator,
      {{"start", block.start}, {"count", block.count}, {"sees_file", file >= 0}, {"first", first}});
  first = parts.front()["first"];
  std::size_t covered = 0;
  for (const Record& part : parts) covered += volume(part["count"]);
  if (covered != volume(block.extents))
    throw std::logic_error("the ranks' blocks are not the whole field");
  // A rank that had no room for a plane would be waited for: what sends or receives cannot fail.
  std::vector<float> plane;
  collectively(communicator, [&] {
    std::size_t values = 0;
    for (const Record& part : parts) {
      const auto count = part["count"].get<std::array<std::size_t, 3>>();
      values = std::max(values, count[1] * count[2]);
    }
    plane.reserve(values);
  });
  // What others send is taken even after a failure: they would wait for ever.
  std::exception_ptr failed;
  const auto unless_failed = [&failed](const auto& write) {
    try {
      if (!failed) write();
    } catch (...) {
      failed = std::current_exception();
    }
  };
  if (file < 0)
    send_planes(communicator, block, plane);
  else
    unless_failed([&] { write_own(file, first, block, plane); });
  for (int rank = 1; communicator.root() && rank < communicator.size(); ++rank) {
    const Record& part = parts[static_cast<std::size_t>(rank)];
    if (part["sees_file"]) continue;
    FieldBlock theirs = block;
    part["start"].get_to(theirs.start);
    part["count"].get_to(theirs.count);
    plane.resize(theirs.count[1] * theirs.count[2]);
    for (std::size_t i = 0; i < theirs.count[0]; ++i) {
      const Message message{
          .peer = rank, .receive = plane.data(), .receive_bytes = plane.size() * sizeof(float)};
      communicator.exchange({&message, 1});
      unless_failed([&] { write_plane(file, first, theirs, i, plane); });
    }
  }
  collectively(communicator, [&] {
    if (failed) std::rethrow_exception(failed);
  });
}

}  // namespace memstencil::hdf5
