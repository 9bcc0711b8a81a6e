// HDF5's C interface with an owner for its identifiers and exceptions for its errors; and what
// results_file.cpp makes with it: the bytes of a record, and the file of a field.
#pragma once

#include "app/base/record/results_file.hpp"

#include <hdf5.h>

#include <cstddef>
#include <string>
#include <utility>

namespace memstencil::hdf5 {

/// @throws Failure(Other) with HDF5's reason for a negative result
void check(herr_t result);

/// Owns an identifier, of whatever kind.
class Handle {
public:
  /// @throws as check() if the call that made the identifier failed
  Handle(hid_t id) : id_(id) { check(id < 0 ? -1 : 0); }
  ~Handle() {
    if (id_ >= 0) H5Idec_ref(id_);
  }
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    return *this;
  }

  operator hid_t() const { return id_; }
  /// Now, where an error can still be told. @throws as check()
  void close() { check(H5Idec_ref(std::exchange(id_, -1)) < 0 ? -1 : 0); }

private:
  hid_t id_;
};

/// HDF5 prints its errors unless told not to.
inline void silence() { H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr); }

/// Properties for making or opening a file, in the formats of HDF5 1.8: every reader knows them,
/// and their headers take half the room of the oldest ones, which are the default.
Handle file_access();

/// For a file or a group: members and attributes in the order in which they were made. Up to 256 of
/// each stand in the header, where they take a tenth of the room; more are moved to a heap, so that
/// their number has no bound.
void keep_order(hid_t properties);

/// Scalars become attributes, texts of 64 KiB and more datasets, objects groups, arrays of scalars
/// of one kind datasets of rank 1, arrays of objects groups 0001, 0002, ... in a group. Nulls and
/// empty arrays are attributes of length 0. The record stands in the root group.
/// @param user_block bytes in front, all zeros
/// @throws Failure(Other) for an array of another form
std::string image_of(const Record& record, std::size_t user_block);

/// The record that image_of() was given. @throws Failure(Other) if it is none
Record record_in(std::string image);

/// Writes the blocks of all ranks as the one dataset of an HDF5 file; what stood there is gone.
/// Collective.
/// @throws CollectiveFailure(Other); std::logic_error if the blocks are not the whole field
void write_field(const Communicator& communicator, const std::string& path,
                 const FieldBlock& block);

}  // namespace memstencil::hdf5
