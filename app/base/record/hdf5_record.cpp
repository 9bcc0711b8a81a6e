// A record as an HDF5 group, and back.
#include "app/base/record/hdf5_record.hpp"

#include "app/base/record/hdf5_handle.hpp"
#include "app/base/record/hdf5_types.hpp"
#include "app/base/runtime/failure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace memstencil::hdf5 {

namespace {

void write_attribute(hid_t group, const std::string& name, const Record& value) {
  const std::string what = "attribute " + name;
  const Record row = Record::array({value});
  const Kind kind = kind_of(row);
  const Handle space(H5Screate(kind == Kind::Null ? H5S_NULL : H5S_SCALAR), H5Sclose, what);
  const Handle type = stored_type(row, kind);
  const Handle attribute(H5Acreate2(group, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT),
                         H5Aclose, what);
  if (kind == Kind::Null) return;
  with_memory(
      row, kind, [&](hid_t memory, const void* data) { return H5Awrite(attribute, memory, data); },
      what);
}

Handle plain_layout(const std::string& what) {
  Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, what);
  check(H5Pset_obj_track_times(properties, false), what);
#if H5_VERSION_GE(1, 10, 5)
  check(H5Pset_dset_no_attrs_hint(properties, true), what);
#endif
  return properties;
}

/// The storage of values: in the header if they are few, compressed if they are many.
Handle layout(hsize_t length, std::size_t element_bytes, const std::string& what) {
  constexpr hsize_t few = hsize_t{1} << 13,
                    many = hsize_t{1} << 16;          // a header holds less than 64 KiB
  constexpr hsize_t most_a_chunk = hsize_t{1} << 17;  // elements
  Handle properties = plain_layout(what);
  const hsize_t bytes = length * element_bytes;
  if (length > 0 && bytes <= few) check(H5Pset_layout(properties, H5D_COMPACT), what);
  if (bytes < many || H5Zfilter_avail(H5Z_FILTER_DEFLATE) <= 0) return properties;
  const hsize_t chunk = std::min(length, most_a_chunk);
  check(H5Pset_chunk(properties, 1, &chunk), what);
  check(H5Pset_shuffle(properties), what);
  check(H5Pset_deflate(properties, 6), what);
  return properties;
}

/// An array, or one long text.
void write_dataset(hid_t group, const std::string& name, const Record& value) {
  const std::string what = "dataset " + name;
  const bool one = !value.is_array();
  const Record values = one ? Record::array({value}) : value;
  const Kind kind = kind_of(values);
  if (kind == Kind::Mixed || kind == Kind::Null)
    throw Failure(
        ExitCode::Other,
        fmt::format("the result '{}' cannot be stored: its elements are not of one kind", name));
  const hsize_t length = values.size();
  const Handle space(one ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &length, nullptr), H5Sclose,
                     what);
  const Handle type = stored_type(values, kind);
  const Handle properties = one ? plain_layout(what) : layout(length, H5Tget_size(type), what);
  const Handle dataset(
      H5Dcreate2(group, name.c_str(), type, space, H5P_DEFAULT, properties, H5P_DEFAULT), H5Dclose,
      what);
  const auto write = [&](hid_t memory, const void* data) {
    return H5Dwrite(dataset, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, data);
  };
  if (length > 0) with_memory(values, kind, write, what);
}

bool is_long_text(const Record& value) {
  constexpr std::size_t long_text = std::size_t{1} << 16;
  return value.is_string() && value.get_ref<const std::string&>().size() >= long_text;
}

void create_record_group(hid_t parent, const std::string& name, const Record& record) {
  write_record(create_group(parent, name, members_of(record)), record);
}

/// "0001" for 1, "10000" for 10000.
std::string numbered(std::size_t number) { return fmt::format("{:04}", number); }

void write_objects(hid_t group, const std::string& name, const Record& objects) {
  const Handle list = create_group(group, name, objects.size());
  for (std::size_t n = 0; n < objects.size(); ++n)
    create_record_group(list, numbered(n + 1), objects[n]);
}

bool all_objects(const Record& values) {
  return !values.empty() && std::all_of(values.begin(), values.end(),
                                        [](const Record& value) { return value.is_object(); });
}

std::vector<std::string> attribute_names(hid_t group) {
  std::vector<std::string> names;
  const auto add = [](hid_t, const char* name, const H5A_info_t*, void* out) -> herr_t {
    static_cast<std::vector<std::string>*>(out)->push_back(name);
    return 0;
  };
  check(H5Aiterate2(group, H5_INDEX_CRT_ORDER, H5_ITER_INC, nullptr, add, &names), "attributes");
  return names;
}

std::vector<std::string> member_names(hid_t group) {
  std::vector<std::string> names;
  const auto add = [](hid_t, const char* name, const H5L_info_t*, void* out) -> herr_t {
    static_cast<std::vector<std::string>*>(out)->emplace_back(name);
    return 0;
  };
  check(H5Literate(group, H5_INDEX_CRT_ORDER, H5_ITER_INC, nullptr, add, &names),
        "members of a group");
  return names;
}

Record read_attribute(hid_t group, const std::string& name) {
  const std::string what = "attribute " + name;
  const Handle attribute(H5Aopen(group, name.c_str(), H5P_DEFAULT), H5Aclose, what);
  const Handle space(H5Aget_space(attribute), H5Sclose, what);
  if (H5Sget_simple_extent_npoints(space) == 0) return nullptr;
  const Handle type(H5Aget_type(attribute), H5Tclose, what);
  const auto read = [&](hid_t memory, void* data) { return H5Aread(attribute, memory, data); };
  return from_memory(type, 1, read, what).front();
}

/// An array of scalars, or a long text.
Record read_dataset(hid_t object, const std::string& name) {
  const std::string what = "dataset " + name;
  const Handle space(H5Dget_space(object), H5Sclose, what);
  const Handle type(H5Dget_type(object), H5Tclose, what);
  const auto read = [&](hid_t memory, void* data) {
    return H5Dread(object, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, data);
  };
  const auto count = static_cast<std::size_t>(H5Sget_simple_extent_npoints(space));
  Record values = from_memory(type, count, read, what);
  return H5Sget_simple_extent_ndims(space) == 0 ? values.front() : values;
}

/// An object, or the array that its members 0001, 0002, ... are.
Record read_group(hid_t group) {
  const std::vector<std::string> names = member_names(group);
  bool list = !names.empty() && attribute_names(group).empty();
  for (std::size_t n = 0; n < names.size(); ++n) list = list && names[n] == numbered(n + 1);
  if (!list) return read_record(group);
  Record array = Record::array();
  for (const std::string& name : names) array.push_back(read_record(open_group(group, name)));
  return array;
}

}  // namespace

void write_record(hid_t group, const Record& record) {
  // Attributes first: while nothing stands behind it a header grows in place.
  for (const auto& [name, value] : record.items())
    if (!value.is_structured() && !is_long_text(value)) write_attribute(group, name, value);
  for (const auto& [name, value] : record.items()) {
    if (value.is_object())
      create_record_group(group, name, value);
    else if (all_objects(value))
      write_objects(group, name, value);
    else if (value.is_array() || is_long_text(value))
      write_dataset(group, name, value);
  }
}

std::size_t members_of(const Record& record) {
  return static_cast<std::size_t>(std::count_if(
      record.begin(), record.end(), [](const Record& value) { return value.is_structured(); }));
}

Record read_record(hid_t group) {
  Record record = Record::object();
  for (const std::string& name : attribute_names(group)) record[name] = read_attribute(group, name);
  for (const std::string& name : member_names(group)) {
    const Handle object(H5Oopen(group, name.c_str(), H5P_DEFAULT), H5Oclose, "member " + name);
    record[name] =
        H5Iget_type(object) == H5I_DATASET ? read_dataset(object, name) : read_group(object);
  }
  return record;
}

}  // namespace memstencil::hdf5
