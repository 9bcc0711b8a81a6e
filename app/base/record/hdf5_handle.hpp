// HDF5's C interface with owners for its handles and exceptions for its errors.
#pragma once

#include <hdf5.h>

#include <cstddef>
#include <optional>
#include <string>
#include <utility>

namespace memstencil::hdf5 {

/// Owns one handle. A negative handle, given to the constructor, throws.
class Handle {
public:
  using Close = herr_t (*)(hid_t);

  /// @throws Failure(Other) "WHAT: HDF5's reason" where the call that made the handle failed
  Handle(hid_t id, Close closer, const std::string& what);
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle& operator=(Handle&&) = delete;

  operator hid_t() const { return id_; }
  /// Closes now, where the error can still be told. @throws as check()
  void close(const std::string& what);

private:
  hid_t id_;
  Close close_;
};

/// @throws Failure(Other) "WHAT: HDF5's reason" for a negative result
void check(herr_t result, const std::string& what);

/// HDF5 prints its errors unless told not to; while this lives, it does not.
class Silence {
public:
  Silence();
  ~Silence();
  Silence(const Silence&) = delete;
  Silence& operator=(const Silence&) = delete;

private:
  H5E_auto2_t function_ = nullptr;
  void* data_ = nullptr;
};

/// Makes a file that one rank writes, or empties one.
Handle create_file(const std::string& path, const std::string& what);
/// Opens a file that exists for writing, by one rank or by all together (parallel HDF5 only).
enum class Writers { One, All };
Handle open_file(const std::string& path, Writers writers, const std::string& what);

/// An HDF5 file in memory while it is made.
class NewImage {
public:
  /// @param members as for create_group, of the root group
  NewImage(std::size_t user_block_bytes, std::size_t members);
  NewImage(const NewImage&) = delete;
  NewImage& operator=(const NewImage&) = delete;

  hid_t file() const { return *file_; }
  /// Closes it. All its bytes; the user block is zeros.
  std::string finish();

private:
  std::string bytes_;
  std::optional<Handle> file_;
};
/// A file in memory, for reading.
Handle open_image(std::string bytes);

Handle open_group(hid_t parent, const std::string& name);
/// Keeps the order in which things are added to it.
/// @param members how many are expected, for which the header has room from the start
Handle create_group(hid_t parent, const std::string& name, std::size_t members);

}  // namespace memstencil::hdf5
