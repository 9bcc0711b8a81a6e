// HDF5's C interface with an owner for its identifiers and exceptions for its errors.
#pragma once

#include <hdf5.h>

#include <utility>

namespace memstencil::hdf5 {

/// @throws Failure(Other) with HDF5's reason for a negative result
void check(herr_t result);

/// Owns an identifier, of whatever kind.
class Handle {
public:
  /// @throws as check() where the call that made the identifier failed
  Handle(hid_t id) : id_(id) { check(id < 0 ? -1 : 0); }
  ~Handle() {
    if (id_ >= 0) H5Idec_ref(id_);
  }
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)) {}
  Handle& operator=(Handle&&) = delete;

  operator hid_t() const { return id_; }
  /// Now, where an error can still be told. @throws as check()
  void close() { check(H5Idec_ref(std::exchange(id_, -1)) < 0 ? -1 : 0); }

private:
  hid_t id_;
};

/// HDF5 prints its errors unless told not to; while this lives, it does not.
class Silence {
public:
  Silence() {
    H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~Silence() { H5Eset_auto2(H5E_DEFAULT, function_, data_); }
  Silence(const Silence&) = delete;
  Silence& operator=(const Silence&) = delete;

private:
  H5E_auto2_t function_ = nullptr;
  void* data_ = nullptr;
};

/// Properties for making or opening a file, in the formats of HDF5 1.8: every reader knows them,
/// and their headers take half the room of the oldest ones, which are the default.
Handle file_access();

}  // namespace memstencil::hdf5
