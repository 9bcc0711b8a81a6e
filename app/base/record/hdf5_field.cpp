// A field of all ranks into a file of its own: together where HDF5 is parallel and all ranks see
// it, otherwise through rank 0.
#include "app/base/record/hdf5_field.hpp"

#include "app/base/ranks/collectively.hpp"
#include "app/base/record/descriptor.hpp"
#include "app/base/record/hdf5_handle.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <exception>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

namespace memstencil::hdf5 {

namespace {

using Extents = std::array<hsize_t, 3>;

Extents in_hdf5(const std::array<std::size_t, 3>& values) {
  return {values[0], values[1], values[2]};
}

/// The file and the field in it, open for writing.
struct Target {
  Handle file, dataset;

  Target(const std::string& path, const std::string& name, Writers writers)
      : file(open_file(path, writers, "opening the file for " + name)),
        dataset(H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose, "dataset " + name) {}
};

/// Writes one block; with parallel HDF5's collective transfer where the properties say so.
void write_block(hid_t dataset, const FieldBlock& block, hid_t transfer) {
  const std::string what = "writing " + block.name;
  const Extents start = in_hdf5(block.start), count = in_hdf5(block.count), origin{};
  const Extents layout{count[0], block.plane_rows, block.row_pitch};
  const Handle in_file(H5Dget_space(dataset), H5Sclose, what);
  check(H5Sselect_hyperslab(in_file, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr),
        what);
  const Handle in_memory(H5Screate_simple(3, layout.data(), nullptr), H5Sclose, what);
  check(
      H5Sselect_hyperslab(in_memory, H5S_SELECT_SET, origin.data(), nullptr, count.data(), nullptr),
      what);
  check(H5Dwrite(dataset, H5T_NATIVE_FLOAT, in_memory, in_file, transfer, block.data), what);
}

#ifdef H5_HAVE_PARALLEL

/// Not where its folder is rank 0's node's alone. Who does not see the file would leave
/// the others waiting in HDF5's opening.
bool seen_by_all(const Communicator& communicator, const std::string& path) {
  return communicator.all(access(path.c_str(), R_OK | W_OK) == 0);
}

void write_together(const Communicator& communicator, const std::string& path,
                    const FieldBlock& block) {
  // HDF5 communicates in here, and every rank makes the same calls whether
  // or not its own data arrive.
  collectively(communicator, [&] {
    Target target(path, block.name, Writers::All);
    const Handle transfer(H5Pcreate(H5P_DATASET_XFER), H5Pclose, "a transfer");
    check(H5Pset_dxpl_mpio(transfer, H5FD_MPIO_COLLECTIVE), "a collective transfer");
    write_block(target.dataset, block, transfer);
  });
}

#endif

std::size_t plane_size(const FieldBlock& block) { return block.count[1] * block.count[2]; }

/// To rank 0, which receives it by receive_bytes().
void send_bytes(const Communicator& communicator, const void* data, std::size_t bytes) {
  const Message message{.peer = 0, .send = data, .send_bytes = bytes};
  communicator.exchange({&message, 1});
}

void receive_bytes(const Communicator& communicator, void* data, std::size_t bytes, int from) {
  const Message message{.peer = from, .receive = data, .receive_bytes = bytes};
  communicator.exchange({&message, 1});
}

void send_planes(const Communicator& communicator, const FieldBlock& block) {
  std::vector<float> plane(plane_size(block));
  send_bytes(communicator, block.start.data(), sizeof block.start);
  send_bytes(communicator, block.count.data(), sizeof block.count);
  for (std::size_t i = 0; i < block.count[0]; ++i) {
    for (std::size_t j = 0; j < block.count[1]; ++j) {
      const float* row = block.data + (i * block.plane_rows + j) * block.row_pitch;
      std::copy_n(row, block.count[2],
                  plane.begin() + static_cast<std::ptrdiff_t>(j * block.count[2]));
    }
    send_bytes(communicator, plane.data(), plane.size() * sizeof(float));
  }
}

/// Calls write(plane) for each plane of the rank's block.
template <class Write>
void receive_planes(const Communicator& communicator, int rank, const FieldBlock& like,
                    Write write) {
  FieldBlock plane = like;
  receive_bytes(communicator, plane.start.data(), sizeof plane.start, rank);
  receive_bytes(communicator, plane.count.data(), sizeof plane.count, rank);
  std::vector<float> values(plane_size(plane));
  plane.data = values.data();
  plane.row_pitch = plane.count[2];
  plane.plane_rows = plane.count[1];
  const std::size_t planes = std::exchange(plane.count[0], 1);
  for (std::size_t i = 0; i < planes; ++i, ++plane.start[0]) {
    receive_bytes(communicator, values.data(), values.size() * sizeof(float), rank);
    write(plane);
  }
}

/// Rank 0: its own block, then those of the others. What they send is taken even after a failure,
/// since they would wait for ever.
void write_received(const Communicator& communicator, hid_t dataset, const FieldBlock& own) {
  std::exception_ptr first;
  const auto write = [&](const FieldBlock& block) {
    if (first) return;
    try {
      write_block(dataset, block, H5P_DEFAULT);
    } catch (...) {
      first = std::current_exception();
    }
  };
  write(own);
  for (int rank = 1; rank < communicator.size(); ++rank)
    receive_planes(communicator, rank, own, write);
  if (first) std::rethrow_exception(first);
}

void write_through_root(const Communicator& communicator, const std::string& path,
                        const FieldBlock& block) {
  std::optional<Target> target;
  collectively(communicator, [&] {
    if (communicator.root()) target.emplace(path, block.name, Writers::One);
  });
  collectively(communicator, [&] {
    if (!communicator.root()) return send_planes(communicator, block);
    try {
      write_received(communicator, target->dataset, block);
      check(H5Fflush(target->file, H5F_SCOPE_LOCAL), "writing " + block.name);
    } catch (...) {
      // The file is lost, and HDF5 tries again to write it when it closes it: it needs room for
      // that.
      if (truncate(path.c_str(), 0) != 0) throw;
      throw;
    }
  });
}

/// The file with the dataset, whose values are not written yet.
void create_field(const std::string& path, const FieldBlock& block) {
  const std::string what = "dataset " + block.name;
  const Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, what);
  check(H5Pset_alloc_time(properties, H5D_ALLOC_TIME_EARLY), what);
  check(H5Pset_fill_time(properties, H5D_FILL_TIME_NEVER), what);
  Handle file = create_file(path, "a new file");
  {
    const Handle space(H5Screate_simple(3, in_hdf5(block.extents).data(), nullptr), H5Sclose, what);
    const Handle dataset(H5Dcreate2(file, block.name.c_str(), H5T_IEEE_F32LE, space, H5P_DEFAULT,
                                    properties, H5P_DEFAULT),
                         H5Dclose, what);
  }
  file.close("closing");
}

/// Takes the disk's blocks for the file's whole length: a full disk is found here, and not by HDF5,
/// which cannot close what it could not write. File systems that cannot do it (NFS before 4.2) go
/// without.
void reserve_blocks(const std::string& path) {
  const Descriptor file(open(path.c_str(), O_WRONLY | O_CLOEXEC));
  struct stat status {};
  if (file >= 0 && fstat(file, &status) == 0 &&
      (fallocate(file, 0, 0, status.st_size) == 0 || errno == EOPNOTSUPP))
    return;
  throw Failure(ExitCode::Other, std::strerror(errno));
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
  collectively(communicator, [&] {
    if (!communicator.root()) return;
    create_field(path, block);
    reserve_blocks(path);
  });
#ifdef H5_HAVE_PARALLEL
  if (communicator.size() > 1 && seen_by_all(communicator, path))
    return write_together(communicator, path, block);
#endif
  write_through_root(communicator, path, block);
}

}  // namespace memstencil::hdf5
