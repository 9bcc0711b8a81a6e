// A record as the bytes of an HDF5 file, and back.
#include "app/base/record/hdf5.hpp"
#include "app/base/runtime/failure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

namespace memstencil::hdf5 {

namespace {

constexpr const char* image_name = "a result in memory";

// Values: int64, double, boolean and UTF-8 text, alone or in a row.

/// Values and their type, which is the same in the file and in memory.
struct Packed {
  Handle type;
  std::string bytes;
};
static_assert(std::endian::native == std::endian::little, "the file's numbers are");

template <class T>
Packed packed_numbers(Handle type, const Record& values) {
  const auto numbers = values.get<std::vector<T>>();
  return {std::move(type),
          {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(T)}};
}

/// 0 or 1: the enum that h5py has for booleans is left out, without a word, by PyTables 3.10 and
/// netCDF4 1.7. Nothing else is an integer of eight bits.
Handle boolean_type() { return H5Tcopy(H5T_STD_U8LE); }
constexpr std::size_t boolean_bytes = 1;

/// Texts have the length of the longest, so that the file needs no heap for them.
Packed packed_texts(const Record& texts) {
  // h5netcdf 1.8 reads a text of one byte, as the size M is, as bytes and longer ones as str.
  std::size_t width = 2;
  for (const Record& text : texts)
    width = std::max(width, text.get_ref<const std::string&>().size());
  Packed packed{H5Tcopy(H5T_C_S1), {}};
  check(H5Tset_size(packed.type, width));
  check(H5Tset_strpad(packed.type, H5T_STR_NULLPAD));
  check(H5Tset_cset(packed.type, H5T_CSET_UTF8));
  for (std::size_t n = 0; n < texts.size(); ++n) {
    packed.bytes += texts[n].get_ref<const std::string&>();
    packed.bytes.resize((n + 1) * width);
  }
  return packed;
}

/// Integers among floating-point numbers count as such.
/// @throws Failure(Other) if they are not of one kind
Packed packed(const Record& values, const std::string& name) {
  const auto all = [&values](bool (Record::*is)() const) {
    return std::all_of(values.begin(), values.end(), std::mem_fn(is));
  };
  if (!values.empty() && all(&Record::is_number_integer)) {
    constexpr auto most = std::numeric_limits<std::int64_t>::max();
    for (const Record& value : values)
      if (value.is_number_unsigned() && std::cmp_greater(value.get<std::uint64_t>(), most))
        throw Failure(ExitCode::Other, "a result is larger than a 64-bit integer: " + value.dump());
    return packed_numbers<std::int64_t>(H5Tcopy(H5T_STD_I64LE), values);
  }
  if (all(&Record::is_number)) return packed_numbers<double>(H5Tcopy(H5T_IEEE_F64LE), values);
  if (all(&Record::is_boolean)) return packed_numbers<unsigned char>(boolean_type(), values);
  if (all(&Record::is_string)) return packed_texts(values);
  throw Failure(
      ExitCode::Other,
      fmt::format("the result '{}' cannot be stored: its elements are not of one kind", name));
}

using Read = std::function<herr_t(hid_t type, void* values)>;

template <class T>
std::vector<T> elements(hid_t type, std::size_t bytes, const Read& read) {
  std::vector<T> values(bytes / sizeof(T));
  if (bytes > 0) check(read(type, values.data()));
  return values;
}

/// The `count` values of this type that are read, as an array.
Record unpacked(hid_t type, std::size_t count, const Read& read) {
  Record values = Record::array();
  const H5T_class_t kind = H5Tget_class(type);
  // Of schema version 2 booleans are an enum.
  if (H5Tget_size(type) == boolean_bytes && (kind == H5T_INTEGER || kind == H5T_ENUM)) {
    for (const unsigned char one : elements<unsigned char>(type, count, read))
      values.push_back(one != 0);
    return values;
  }
  switch (kind) {
    case H5T_INTEGER:
      return elements<std::int64_t>(H5T_NATIVE_INT64, 8 * count, read);
    case H5T_FLOAT:
      return elements<double>(H5T_NATIVE_DOUBLE, 8 * count, read);
    case H5T_STRING: {
      const std::size_t width = H5Tget_size(type);
      const std::vector<char> all = elements<char>(type, count * width, read);
      for (std::size_t n = 0; n < count; ++n) {
        const std::string padded(all.data() + n * width, width);
        values.push_back(padded.substr(0, padded.find('\0')));
      }
      return values;
    }
    default:
      throw Failure(ExitCode::Other, "a value is no number, boolean or text");
  }
}

// Attributes, datasets and groups.

/// Nulls (of the type of booleans) and empty arrays (of doubles) are attributes of length 0.
/// PyTables 3.11 reads a null dataspace as 0.0, and h5repack 1.10 stops at a dataset of length 0.
void write_attribute(hid_t group, const std::string& name, const Record& value) {
  const bool known = !value.is_structured() && !value.is_null();
  Packed one = packed(known ? Record::array({value}) : Record::array(), name);
  if (value.is_null()) one.type = boolean_type();
  const hsize_t none = 0;
  const Handle space = known ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &none, nullptr);
  const Handle attribute =
      H5Acreate2(group, name.c_str(), one.type, space, H5P_DEFAULT, H5P_DEFAULT);
  if (known) check(H5Awrite(attribute, one.type, one.bytes.data()));
}

/// The storage of values: in the header if they are few, compressed if they are many.
Handle layout(hsize_t length, std::size_t bytes) {
  constexpr std::size_t few = std::size_t{1} << 13,
                        many = std::size_t{1} << 16;  // a header holds less than 64 KiB
  constexpr hsize_t most_a_chunk = hsize_t{1} << 17;  // elements
  Handle properties = H5Pcreate(H5P_DATASET_CREATE);
  check(H5Pset_obj_track_times(properties, false));
#if H5_VERSION_GE(1, 10, 5)
  check(H5Pset_dset_no_attrs_hint(properties, true));
#endif
  if (length > 0 && bytes <= few) check(H5Pset_layout(properties, H5D_COMPACT));
  if (bytes < many || H5Zfilter_avail(H5Z_FILTER_DEFLATE) <= 0) return properties;
  const hsize_t chunk = std::min(length, most_a_chunk);
  check(H5Pset_chunk(properties, 1, &chunk));
  check(H5Pset_shuffle(properties));
  check(H5Pset_deflate(properties, 6));
  return properties;
}

/// An array, or one long text.
void write_dataset(hid_t group, const std::string& name, const Record& value) {
  const bool one = !value.is_array();
  const Packed all = packed(one ? Record::array({value}) : value, name);
  const hsize_t length = value.size();
  const Handle space = one ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &length, nullptr);
  const Handle properties = one ? layout(0, 0) : layout(length, all.bytes.size());
  const Handle dataset =
      H5Dcreate2(group, name.c_str(), all.type, space, H5P_DEFAULT, properties, H5P_DEFAULT);
  check(H5Dwrite(dataset, all.type, H5S_ALL, H5S_ALL, H5P_DEFAULT, all.bytes.data()));
}

Handle create_group(hid_t parent, const std::string& name) {
  const Handle properties = H5Pcreate(H5P_GROUP_CREATE);
  keep_order(properties);
  return H5Gcreate2(parent, name.c_str(), H5P_DEFAULT, properties, H5P_DEFAULT);
}

bool is_long_text(const Record& value) {
  constexpr std::size_t long_text = std::size_t{1} << 16;
  return value.is_string() && value.get_ref<const std::string&>().size() >= long_text;
}

bool is_attribute(const Record& value) {
  return value.is_array() ? value.empty() : !value.is_object() && !is_long_text(value);
}

bool is_list_of_groups(const Record& value) {
  return value.is_array() && !value.empty() &&
         std::all_of(value.begin(), value.end(), [](const Record& one) { return one.is_object(); });
}

/// "0001" for the first, "10000" for the ten thousandth.
std::string numbered(std::size_t index) { return fmt::format("{:04}", index + 1); }

/// @param record an object, or a list of objects
void write_group(hid_t group, const Record& record) {
  const auto name_of = [&](const Record::const_iterator& member) {
    return record.is_object() ? member.key()
                              : numbered(static_cast<std::size_t>(member - record.begin()));
  };
  // Attributes first: while nothing stands behind it a header grows in place.
  for (auto member = record.begin(); member != record.end(); ++member)
    if (is_attribute(*member)) write_attribute(group, name_of(member), *member);
  for (auto member = record.begin(); member != record.end(); ++member) {
    if (member->is_object() || is_list_of_groups(*member))
      write_group(create_group(group, name_of(member)), *member);
    else if (!is_attribute(*member))
      write_dataset(group, name_of(member), *member);
  }
}

template <class Info>
herr_t add_name(hid_t, const char* name, const Info*, void* names) {
  static_cast<std::vector<std::string>*>(names)->emplace_back(name);
  return 0;
}

Record read_attribute(hid_t group, const std::string& name) {
  const Handle attribute = H5Aopen(group, name.c_str(), H5P_DEFAULT);
  const Handle space = H5Aget_space(attribute), type = H5Aget_type(attribute);
  if (H5Sget_simple_extent_type(space) == H5S_NULL) return nullptr;  // schema version 2
  if (H5Sget_simple_extent_npoints(space) == 0)
    return H5Tget_size(type) == boolean_bytes ? Record() : Record::array();
  const auto read = [&](hid_t memory, void* data) { return H5Aread(attribute, memory, data); };
  return unpacked(type, 1, read).front();
}

/// An array of scalars, or a long text.
Record read_dataset(hid_t dataset) {
  const Handle space = H5Dget_space(dataset), type = H5Dget_type(dataset);
  const auto count = static_cast<std::size_t>(H5Sget_simple_extent_npoints(space));
  Record values = unpacked(type, count, [&](hid_t memory, void* data) {
    return H5Dread(dataset, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, data);
  });
  return H5Sget_simple_extent_ndims(space) == 0 ? values.front() : values;
}

/// An object, or the array that its members 0001, 0002, ... are.
Record read_group(hid_t group) {
  std::vector<std::string> attributes, members;
  check(H5Aiterate2(group, H5_INDEX_CRT_ORDER, H5_ITER_INC, nullptr, add_name, &attributes));
  check(H5Literate(group, H5_INDEX_CRT_ORDER, H5_ITER_INC, nullptr, add_name, &members));
  Record record = Record::object();
  for (const std::string& name : attributes) record[name] = read_attribute(group, name);
  bool list = !members.empty() && attributes.empty();
  for (std::size_t n = 0; n < members.size(); ++n) {
    const Handle object = H5Oopen(group, members[n].c_str(), H5P_DEFAULT);
    record[members[n]] =
        H5Iget_type(object) == H5I_DATASET ? read_dataset(object) : read_group(object);
    list = list && members[n] == numbered(n);
  }
  if (!list) return record;
  Record array = Record::array();
  for (Record& element : record) array.push_back(std::move(element));
  return array;
}

// HDF5 keeps the image in a text of ours. H5Fget_file_image() gives one as well, but HDF5 1.10
// clears a flag in it and not the checksum of what holds the flag.
extern "C" void* make_image(size_t bytes, H5FD_file_image_op_t, void* image) {
  auto& text = *static_cast<std::string*>(image);
  text.resize(bytes);
  return text.data();
}
extern "C" void* resize_image(void*, size_t bytes, H5FD_file_image_op_t operation, void* image) {
  return make_image(bytes, operation, image);
}
extern "C" herr_t keep_image(void*, H5FD_file_image_op_t, void*) { return 0; }
extern "C" void* same_image(void* image) { return image; }
extern "C" herr_t leave_image(void*) { return 0; }

}  // namespace

std::string image_of(const Record& record, std::size_t user_block) {
  std::string image;
  const Handle access = file_access(), properties = H5Pcreate(H5P_FILE_CREATE);
  H5FD_file_image_callbacks_t callbacks{make_image, nullptr,     resize_image, keep_image,
                                        same_image, leave_image, &image};
  check(H5Pset_file_image_callbacks(access, &callbacks));
  constexpr std::size_t grown_by = 1;  // the text is then as long as the file
  check(H5Pset_fapl_core(access, grown_by, false));
  check(H5Pset_userblock(properties, user_block));
  keep_order(properties);
  Handle file = H5Fcreate(image_name, H5F_ACC_TRUNC, properties, access);
  write_group(Handle(H5Gopen2(file, "/", H5P_DEFAULT)), record);
  file.close();
  return image;
}

Record record_in(std::string image) {
  const Handle access = file_access();
  constexpr std::size_t grown_by = 65536;  // it never is
  check(H5Pset_fapl_core(access, grown_by, false));
  check(H5Pset_file_image(access, image.data(), image.size()));  // a copy
  image = {};
  const Handle file = H5Fopen(image_name, H5F_ACC_RDONLY, access);
  return read_group(Handle(H5Gopen2(file, "/", H5P_DEFAULT)));
}

}  // namespace memstencil::hdf5
