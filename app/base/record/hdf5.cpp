// HDF5's C interface with an owner for its identifiers and exceptions for its errors.
#include "app/base/record/hdf5.hpp"

#include "app/base/runtime/failure.hpp"

#include <string>

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

}  // namespace memstencil::hdf5
