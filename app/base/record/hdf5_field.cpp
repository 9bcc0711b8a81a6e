// A field of all ranks into a file of its own: HDF5 makes the file, and then tells where the values
// stand in it. Each rank that sees the file writes its block there; rank 0 writes those of others.
#include "app/base/record/hdf5_field.hpp"

#include "app/base/ranks/collectively.hpp"
#include "app/base/record/hdf5_handle.hpp"
#include "app/base/record/output_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <exception>
#include <stdexcept>
#include <utility>
#include <vector>

// Parallel file systems often cannot lock, which is no reason to refuse them. HDF5 1.10.7 and
// 1.12.1 were the first that could be told so.
#if H5_VERS_MAJOR > 1 || H5_VERS_MINOR > 12 || (H5_VERS_MINOR == 12 && H5_VERS_RELEASE >= 1) || \
    (H5_VERS_MINOR == 10 && H5_VERS_RELEASE >= 7)
#define MEMSTENCIL_HDF5_FILE_LOCKING
#endif

namespace memstencil::hdf5 {

namespace {

[[noreturn]] void refuse() { throw Failure(ExitCode::Other, std::strerror(errno)); }

/// Makes the file with the dataset, whose values are not written yet. @returns their first byte
off_t create_field(const std::string& path, const FieldBlock& block) {
  const Handle access = file_access(), properties = H5Pcreate(H5P_DATASET_CREATE);
#ifdef MEMSTENCIL_HDF5_FILE_LOCKING
  check(H5Pset_file_locking(access, true, true));
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

void write_at(int file, const void* data, std::size_t bytes, off_t offset) {
  const char* from = static_cast<const char*>(data);
  while (bytes > 0) {
    const ssize_t count = pwrite(file, from, bytes, offset);
    if (count < 0 && errno != EINTR) refuse();
    if (count <= 0) continue;
    from += count;
    offset += count;
    bytes -= static_cast<std::size_t>(count);
  }
}

/// The rows of plane i of the block, one after the other.
std::vector<float> plane_of(const FieldBlock& block, std::size_t i) {
  std::vector<float> values;
  values.reserve(block.count[1] * block.count[2]);
  for (std::size_t j = 0; j < block.count[1]; ++j) {
    const float* row = block.data + (i * block.plane_rows + j) * block.row_pitch;
    values.insert(values.end(), row, row + block.count[2]);
  }
  return values;
}

/// @param first byte of the field in the file
void write_plane(int file, double first, const FieldBlock& block, std::size_t i,
                 const std::vector<float>& values) {
  // Whole rows lie one after the other in the file, too.
  const std::size_t pieces = block.count[2] == block.extents[2] ? 1 : block.count[1];
  const std::size_t length = pieces == 0 ? 0 : values.size() / pieces;
  for (std::size_t j = 0; j < pieces; ++j) {
    const std::size_t row = (block.start[0] + i) * block.extents[1] + block.start[1] + j;
    const std::size_t at = (row * block.extents[2] + block.start[2]) * sizeof(float);
    write_at(file, values.data() + j * length, length * sizeof(float),
             static_cast<off_t>(first) + static_cast<off_t>(at));
  }
}

void write_own(int file, double first, const FieldBlock& block) {
  for (std::size_t i = 0; i < block.count[0]; ++i)
    write_plane(file, first, block, i, plane_of(block, i));
  if (fsync(file) != 0) refuse();  // another node's
}

void send_to_root(const Communicator& communicator, const void* data, std::size_t bytes) {
  const Message message{.peer = 0, .send = data, .send_bytes = bytes};
  communicator.exchange({&message, 1});
}

void receive_from(const Communicator& communicator, int rank, void* data, std::size_t bytes) {
  const Message message{.peer = rank, .receive = data, .receive_bytes = bytes};
  communicator.exchange({&message, 1});
}

void send_planes(const Communicator& communicator, const FieldBlock& block) {
  send_to_root(communicator, block.start.data(), sizeof block.start);
  send_to_root(communicator, block.count.data(), sizeof block.count);
  for (std::size_t i = 0; i < block.count[0]; ++i) {
    const std::vector<float> values = plane_of(block, i);
    send_to_root(communicator, values.data(), values.size() * sizeof(float));
  }
}

/// Calls write(block, i, values) for each plane of the rank's block.
template <class Write>
void receive_planes(const Communicator& communicator, int rank, FieldBlock block, Write write) {
  receive_from(communicator, rank, block.start.data(), sizeof block.start);
  receive_from(communicator, rank, block.count.data(), sizeof block.count);
  std::vector<float> values(block.count[1] * block.count[2]);
  for (std::size_t i = 0; i < block.count[0]; ++i) {
    receive_from(communicator, rank, values.data(), values.size() * sizeof(float));
    write(block, i, values);
  }
}

void check_covered(const Communicator& communicator, const FieldBlock& block) {
  const auto volume = [](const std::array<std::size_t, 3>& n) {
    return static_cast<double>(n[0]) * static_cast<double>(n[1]) * static_cast<double>(n[2]);
  };
  if (communicator.sum(volume(block.count)) != volume(block.extents))
    throw std::logic_error("the ranks' blocks are not the whole field");
}

}  // namespace

void write_field(const Communicator& communicator, const std::string& path,
                 const FieldBlock& block) {
  check_covered(communicator, block);
  double first = 0;
  Descriptor file(-1);
  const auto open_file = [&] { file = Descriptor(open(path.c_str(), O_WRONLY | O_CLOEXEC)); };
  collectively(communicator, [&] {
    if (!communicator.root()) return;
    first = static_cast<double>(create_field(path, block));
    open_file();
    if (file < 0) refuse();
    reserve_blocks(file);
  });
  communicator.broadcast({&first, 1});
  if (!communicator.root()) open_file();
  const std::vector<std::string> sees = communicator.all_gather(file >= 0 ? "the file" : "");
  collectively(communicator, [&] {
    if (file < 0) return send_planes(communicator, block);
    // What others send is taken even after a failure: they would wait for ever.
    std::exception_ptr failed;
    const auto unless_failed = [&failed](const auto& write) {
      try {
        if (!failed) write();
      } catch (...) {
        failed = std::current_exception();
      }
    };
    unless_failed([&] { write_own(file, first, block); });
    for (int rank = 1; communicator.root() && rank < communicator.size(); ++rank)
      if (sees[static_cast<std::size_t>(rank)].empty())
        receive_planes(communicator, rank, block, [&](const auto&... plane) {
          unless_failed([&] { write_plane(file, first, plane...); });
        });
    if (failed) std::rethrow_exception(failed);
  });
}

}  // namespace memstencil::hdf5
