// A record as an HDF5 group, and back.
#include "app/common/record/hdf5_record.hpp"

#include "app/common/record/hdf5_handle.hpp"
#include "app/common/record/hdf5_types.hpp"
#include "app/common/runtime/failure.hpp"

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
  const Handle type = stored_type(kind);
  const Handle attribute(H5Acreate2(group, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT),
                         H5Aclose, what);
  if (kind == Kind::Null) return;
  with_memory(
      row, kind, [&](hid_t memory, const void* data) { return H5Awrite(attribute, memory, data); },
      what);
}

/// The storage of values: in the header if they are few, compressed if they are many.
Handle layout(hsize_t length, std::size_t element_bytes, const std::string& what) {
  constexpr hsize_t few = hsize_t{1} << 13,
                    many = hsize_t{1} << 16;          // a header holds less than 64 KiB
  constexpr hsize_t most_a_chunk = hsize_t{1} << 17;  // elements
  Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, what);
  check(H5Pset_obj_track_times(properties, false), what);
#if H5_VERSION_GE(1, 10, 5)
  check(H5Pset_dset_no_attrs_hint(properties, true), what);
#endif
  const hsize_t bytes = length * element_bytes;
  if (length > 0 && bytes <= few) check(H5Pset_layout(properties, H5D_COMPACT), what);
  if (bytes < many || H5Zfilter_avail(H5Z_FILTER_DEFLATE) <= 0) return properties;
  const hsize_t chunk = std::min(length, most_a_chunk);
  check(H5Pset_chunk(properties, 1, &chunk), what);
  check(H5Pset_shuffle(properties), what);
  check(H5Pset_deflate(properties, 6), what);
  return properties;
}

void write_dataset(hid_t group, const std::string& name, const Record& values) {
  const std::string what = "dataset " + name;
  const Kind kind = kind_of(values);
  if (kind == Kind::Mixed || kind == Kind::Null)
    throw Failure(
        ExitCode::Other,
        fmt::format("the result '{}' cannot be stored: its elements are not of one kind", name));
  const hsize_t length = values.size();
  const Handle space(H5Screate_simple(1, &length, nullptr), H5Sclose, what);
  const Handle type = stored_type(kind);
  const Handle properties = layout(length, H5Tget_size(type), what);
  const Handle dataset(
      H5Dcreate2(group, name.c_str(), type, space, H5P_DEFAULT, properties, H5P_DEFAULT), H5Dclose,
      what);
  const auto write = [&](hid_t memory, const void* data) {
    return H5Dwrite(dataset, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, data);
  };
  if (length > 0) with_memory(values, kind, write, what);
}

void write_objects(hid_t group, const std::string& name, const Record& objects) {
  const Handle list = create_group(group, name, objects.size());
  for (std::size_t n = 0; n < objects.size(); ++n)
    create_record_group(list, numbered(n + 1), objects[n]);
}

bool all_objects(const Record& values) {
  return !values.empty() && std::all_of(values.begin(), values.end(),
                                        [](const Record& value) { return value.is_object(); });
}

/// Names of attributes or links in the order of their creation.
H5_index_t index_of(hid_t group, bool of_links) {
  const Handle properties(H5Gget_create_plist(group), H5Pclose, "a group's properties");
  unsigned order = 0;
  check(of_links ? H5Pget_link_creation_order(properties, &order)
                 : H5Pget_attr_creation_order(properties, &order),
        "a group's properties");
  // Groups that other programs made need not know the order.
  return (order & H5P_CRT_ORDER_TRACKED) != 0 ? H5_INDEX_CRT_ORDER : H5_INDEX_NAME;
}

std::vector<std::string> attribute_names(hid_t group) {
  std::vector<std::string> names;
  const auto add = [](hid_t, const char* name, const H5A_info_t*, void* out) -> herr_t {
    static_cast<std::vector<std::string>*>(out)->push_back(name);
    return 0;
  };
  check(H5Aiterate2(group, index_of(group, false), H5_ITER_INC, nullptr, add, &names),
        "attributes");
  return names;
}

/// Results have three levels. A group that a damaged or foreign file puts into itself has no end.
constexpr int deepest = 32;

Record read_record(hid_t group, int depth);

/// Arrays of scalars; nothing for fields.
void read_dataset(hid_t object, const std::string& name, Record& record) {
  const std::string what = "dataset " + name;
  const Handle space(H5Dget_space(object), H5Sclose, what);
  if (H5Sget_simple_extent_ndims(space) != 1) return;
  require_stored(object, what);
  const Handle type(H5Dget_type(object), H5Tclose, what);
  const auto read = [&](hid_t memory, void* data) {
    return H5Dread(object, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, data);
  };
  const auto count = static_cast<std::size_t>(H5Sget_simple_extent_npoints(space));
  record[name] = from_memory(type, space, count, read, what);
}

/// An object, or the array that its members 0001, 0002, ... are.
Record read_group(hid_t group, int depth) {
  const std::vector<std::string> names = member_names(group);
  bool list = !names.empty() && attribute_names(group).empty();
  for (std::size_t n = 0; n < names.size(); ++n) list = list && names[n] == numbered(n + 1);
  if (!list) return read_record(group, depth);
  Record array = Record::array();
  for (const std::string& name : names)
    array.push_back(read_record(open_group(group, name), depth + 1));
  return array;
}

Record read_record(hid_t group, int depth) {
  if (depth > deepest)
    throw Failure(ExitCode::Other,
                  fmt::format("its groups stand more than {} deep in each other", deepest));
  const std::vector<std::string> attributes = attribute_names(group), members = member_names(group);
  check_names(attributes.size() + members.size());
  Record record = Record::object();
  for (const std::string& name : attributes) record[name] = read_attribute(group, name);
  for (const std::string& name : members) {
    const Handle object(H5Oopen(group, name.c_str(), H5P_DEFAULT), H5Oclose, "member " + name);
    if (H5Iget_type(object) == H5I_DATASET)
      read_dataset(object, name, record);
    else
      record[name] = read_group(object, depth + 1);
  }
  return record;
}

}  // namespace

std::vector<std::string> member_names(hid_t group) {
  struct Members {
    std::vector<std::string> names;
    std::string elsewhere;
  } members;
  const auto add = [](hid_t, const char* name, const H5L_info_t* link, void* out) -> herr_t {
    auto* const all = static_cast<Members*>(out);
    all->names.emplace_back(name);
    if (link->type >= H5L_TYPE_EXTERNAL) all->elsewhere = name;
    return 0;
  };
  check(H5Literate(group, index_of(group, true), H5_ITER_INC, nullptr, add, &members),
        "members of a group");
  if (!members.elsewhere.empty())
    throw Failure(ExitCode::Other,
                  fmt::format("member {} stands in another file", members.elsewhere));
  return members.names;
}

void check_names(std::size_t count) {
  constexpr std::size_t most = 16384;
  if (count > most)
    throw Failure(ExitCode::Other,
                  fmt::format("{} names stand in one group, and at most {} are read", count, most));
}

std::string numbered(std::size_t number) { return fmt::format("{:04}", number); }

void write_record(hid_t group, const Record& record) {
  // Attributes first: while nothing stands behind it a header grows in place.
  for (const auto& [name, value] : record.items())
    if (!value.is_structured()) write_attribute(group, name, value);
  for (const auto& [name, value] : record.items()) {
    if (value.is_object())
      create_record_group(group, name, value);
    else if (all_objects(value))
      write_objects(group, name, value);
    else if (value.is_array())
      write_dataset(group, name, value);
  }
}

std::size_t stored_bytes(const Record& record) {
  constexpr std::size_t attribute = 48, dataset = 200, group = 220,
                        text = 24;  // beside names and values
  std::size_t bytes = group;
  for (const auto& [name, value] : record.items()) {
    bytes += name.size();
    if (value.is_object()) {
      bytes += stored_bytes(value);
    } else if (all_objects(value)) {
      bytes += group;
      for (const Record& each : value) bytes += stored_bytes(each);
    } else if (value.is_array()) {
      bytes +=
          dataset + value.size() * sizeof(double) + value.size() / 64;  // chunks that nothing packs
      for (const Record& each : value)
        if (each.is_string()) bytes += text + each.get_ref<const std::string&>().size();
    } else {
      bytes +=
          attribute + (value.is_string() ? text + value.get_ref<const std::string&>().size() : 0);
    }
  }
  return bytes;
}

Handle create_record_group(hid_t parent, const std::string& name, const Record& record) {
  const auto members = std::count_if(record.begin(), record.end(),
                                     [](const Record& value) { return value.is_structured(); });
  Handle group = create_group(parent, name, static_cast<std::size_t>(members));
  write_record(group, record);
  return group;
}

Record read_attribute(hid_t group, const std::string& name) {
  const std::string what = "attribute " + name;
  if (H5Aexists(group, name.c_str()) <= 0) return nullptr;
  const Handle attribute(H5Aopen(group, name.c_str(), H5P_DEFAULT), H5Aclose, what);
  const Handle space(H5Aget_space(attribute), H5Sclose, what);
  if (H5Sget_simple_extent_npoints(space) != 1) return nullptr;
  const Handle type(H5Aget_type(attribute), H5Tclose, what);
  const auto read = [&](hid_t memory, void* data) { return H5Aread(attribute, memory, data); };
  return from_memory(type, space, 1, read, what).front();
}

Record read_record(hid_t group) { return read_record(group, 0); }

}  // namespace memstencil::hdf5
