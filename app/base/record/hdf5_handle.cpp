// HDF5's C interface with owners for its handles and exceptions for its errors.
#include "app/base/record/hdf5_handle.hpp"

#include "app/base/runtime/failure.hpp"

#include <fmt/format.h>

#include <algorithm>

// Parallel file systems often cannot lock, which is no reason to refuse them. HDF5 1.10.7 and
// 1.12.1 were the first that could be told so.
#if H5_VERS_MAJOR > 1 || H5_VERS_MINOR > 12 || (H5_VERS_MINOR == 12 && H5_VERS_RELEASE >= 1) || \
    (H5_VERS_MINOR == 10 && H5_VERS_RELEASE >= 7)
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

}  // namespace

Handle::Handle(hid_t id, Close closer, const std::string& what) : id_(id), close_(closer) {
  if (id < 0) throw Failure(ExitCode::Other, fmt::format("{}: {}", what, reason()));
}

void Handle::close(const std::string& what) { check(close_(std::exchange(id_, -1)), what); }

void check(herr_t result, const std::string& what) {
  if (result < 0) throw Failure(ExitCode::Other, fmt::format("{}: {}", what, reason()));
}

Silence::Silence() {
  H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Silence::~Silence() { H5Eset_auto2(H5E_DEFAULT, function_, data_); }

namespace {

/// The formats of HDF5 1.8, which every reader knows: their headers take half the room of the
/// oldest ones, which are the default.
Handle file_access(const std::string& what) {
  Handle properties(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, what);
  check(H5Pset_libver_bounds(properties, H5F_LIBVER_V18, H5F_LIBVER_LATEST), what);
#ifdef MEMSTENCIL_HDF5_FILE_LOCKING
  check(H5Pset_file_locking(properties, true, true), what);
#endif
  return properties;
}

}  // namespace

Handle create_file(const std::string& path, const std::string& what) {
  const Handle properties = file_access(what);
  return Handle(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, properties), H5Fclose, what);
}

Handle open_file(const std::string& path, [[maybe_unused]] Writers writers,
                 const std::string& what) {
  const Handle properties = file_access(what);
#ifdef H5_HAVE_PARALLEL
  if (writers == Writers::All)
    check(H5Pset_fapl_mpio(properties, MPI_COMM_WORLD, MPI_INFO_NULL), what);
#endif
  return Handle(H5Fopen(path.c_str(), H5F_ACC_RDWR, properties), H5Fclose, what);
}

namespace {

// HDF5 keeps the image in a text of ours. H5Fget_file_image() gives one as well, but HDF5 1.10
// clears a flag in it and not the checksum of what holds the flag.
extern "C" void* resize_image(void*, size_t bytes, H5FD_file_image_op_t, void* image) {
  auto& text = *static_cast<std::string*>(image);
  text.resize(bytes);
  return text.data();
}
extern "C" void* make_image(size_t bytes, H5FD_file_image_op_t operation, void* image) {
  return resize_image(nullptr, bytes, operation, image);
}
extern "C" herr_t keep_image(void*, H5FD_file_image_op_t, void*) { return 0; }
extern "C" void* same_image(void* image) { return image; }
extern "C" herr_t leave_image(void*) { return 0; }

constexpr const char* image_name = "a result in memory";

/// Members and attributes in the order in which they were made. Up to 256 of each stand in the
/// header, where they take a tenth of the room; more are moved to a heap, so that their number has
/// no bound.
void keep_order(hid_t properties, std::size_t members, const std::string& what) {
  constexpr unsigned ordered = H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED;
  constexpr unsigned in_header = 256;
  constexpr unsigned name_bytes = 12;
  const auto expected = static_cast<unsigned>(std::min<std::size_t>(members, in_header));
  check(H5Pset_link_phase_change(properties, in_header, in_header), what);
  check(H5Pset_est_link_info(properties, expected, name_bytes), what);
  check(H5Pset_attr_phase_change(properties, in_header, in_header), what);
  check(H5Pset_obj_track_times(properties, false), what);
  check(H5Pset_link_creation_order(properties, ordered), what);
  check(H5Pset_attr_creation_order(properties, ordered), what);
}

}  // namespace

NewImage::NewImage(std::size_t user_block_bytes, std::size_t members) {
  const Handle access = file_access(image_name);
  H5FD_file_image_callbacks_t callbacks{make_image, nullptr,     resize_image, keep_image,
                                        same_image, leave_image, &bytes_};
  check(H5Pset_file_image_callbacks(access, &callbacks), image_name);
  constexpr std::size_t grown_by = 1;  // the text is then as long as the file
  check(H5Pset_fapl_core(access, grown_by, false), image_name);
  const Handle properties(H5Pcreate(H5P_FILE_CREATE), H5Pclose, image_name);
  check(H5Pset_userblock(properties, user_block_bytes), image_name);
  keep_order(properties, members, image_name);
  file_.emplace(H5Fcreate(image_name, H5F_ACC_TRUNC, properties, access), H5Fclose, image_name);
}

std::string NewImage::finish() {
  file_->close(image_name);
  return std::move(bytes_);
}

Handle open_image(std::string bytes) {
  const Handle access = file_access(image_name);
  constexpr std::size_t grown_by = 65536;  // it never is
  check(H5Pset_fapl_core(access, grown_by, false), image_name);
  check(H5Pset_file_image(access, bytes.data(), bytes.size()), image_name);  // a copy
  bytes = {};
  return Handle(H5Fopen(image_name, H5F_ACC_RDONLY, access), H5Fclose, image_name);
}

Handle open_group(hid_t parent, const std::string& name) {
  return Handle(H5Gopen2(parent, name.c_str(), H5P_DEFAULT), H5Gclose, "group " + name);
}

Handle create_group(hid_t parent, const std::string& name, std::size_t members) {
  const std::string what = "group " + name;
  const Handle properties(H5Pcreate(H5P_GROUP_CREATE), H5Pclose, what);
  keep_order(properties, members, what);
  return Handle(H5Gcreate2(parent, name.c_str(), H5P_DEFAULT, properties, H5P_DEFAULT), H5Gclose,
                what);
}

}  // namespace memstencil::hdf5
