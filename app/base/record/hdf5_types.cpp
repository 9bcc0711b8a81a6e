// The HDF5 types of a record's scalars: int64, double, boolean and UTF-8 text, alone or in a row.
#include "app/base/record/hdf5_types.hpp"

#include "app/base/runtime/failure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace memstencil::hdf5 {

namespace {

Kind kind_of_one(const Record& value) {
  if (value.is_null()) return Kind::Null;
  if (value.is_boolean()) return Kind::Boolean;
  if (value.is_number_unsigned() &&
      value.get<std::uint64_t>() >
          static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
    throw Failure(ExitCode::Other, "a result is larger than a 64-bit integer: " + value.dump());
  if (value.is_number_integer()) return Kind::Integer;
  if (value.is_number_float()) return Kind::Real;
  return value.is_string() ? Kind::Text : Kind::Mixed;
}

Kind together(Kind a, Kind b) {
  if (a == b) return a;
  const auto number = [](Kind kind) { return kind == Kind::Integer || kind == Kind::Real; };
  return number(a) && number(b) ? Kind::Real : Kind::Mixed;
}

template <class T>
std::vector<T> elements(const Record& values) {
  return values.get<std::vector<T>>();
}

template <class T>
Record array_of(hid_t memory_type, std::size_t count,
                const std::function<herr_t(hid_t, void*)>& read, const std::string& what) {
  std::vector<T> values(count);
  if (count > 0) check(read(memory_type, values.data()), what);
  return Record(values);
}

/// Padded with zeros to the type's width; there is no terminator.
Record texts_of(hid_t type, std::size_t count, const std::function<herr_t(hid_t, void*)>& read,
                const std::string& what) {
  const std::size_t width = H5Tget_size(type);
  std::vector<char> bytes(count * width);
  if (count > 0) check(read(type, bytes.data()), what);
  Record texts = Record::array();
  for (std::size_t n = 0; n < count; ++n) {
    const std::string padded(bytes.data() + n * width, width);
    texts.push_back(padded.substr(0, padded.find('\0')));
  }
  return texts;
}

std::size_t width_of(const Record& texts) {
  std::size_t width = 1;  // HDF5 has no type of length 0
  for (const Record& text : texts)
    width = std::max(width, text.get_ref<const std::string&>().size());
  return width;
}

Handle text_type(std::size_t width) {
  const std::string what = "an HDF5 type";
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose, what);
  check(H5Tset_size(type, width), what);
  check(H5Tset_strpad(type, H5T_STR_NULLPAD), what);
  check(H5Tset_cset(type, H5T_CSET_UTF8), what);
  return type;
}

Handle boolean_type() {
  const std::string what = "an HDF5 type";
  Handle type(H5Tenum_create(H5T_STD_I8LE), H5Tclose, what);
  const signed char no = 0, yes = 1;
  check(H5Tenum_insert(type, "FALSE", &no), what);
  check(H5Tenum_insert(type, "TRUE", &yes), what);
  return type;
}

}  // namespace

Kind kind_of(const Record& values) {
  if (values.empty()) return Kind::Real;
  Kind kind = kind_of_one(values.front());
  for (const Record& value : values) kind = together(kind, kind_of_one(value));
  return kind;
}

Handle stored_type(const Record& values, Kind kind) {
  if (kind == Kind::Text) return text_type(width_of(values));
  if (kind == Kind::Boolean) return boolean_type();
  return Handle(H5Tcopy(kind == Kind::Integer ? H5T_STD_I64LE : H5T_IEEE_F64LE), H5Tclose,
                "an HDF5 type");
}

void with_memory(const Record& values, Kind kind,
                 const std::function<herr_t(hid_t, const void*)>& write, const std::string& what) {
  if (kind == Kind::Integer) {
    check(write(H5T_NATIVE_INT64, elements<std::int64_t>(values).data()), what);
  } else if (kind == Kind::Real) {
    check(write(H5T_NATIVE_DOUBLE, elements<double>(values).data()), what);
  } else if (kind == Kind::Boolean) {
    std::vector<signed char> booleans;
    for (const Record& value : values)
      booleans.push_back(static_cast<signed char>(value.get<bool>()));
    check(write(boolean_type(), booleans.data()), what);
  } else {
    const std::size_t width = width_of(values);
    std::string all;
    for (const Record& value : values) {
      const auto& text = value.get_ref<const std::string&>();
      (all += text).append(width - text.size(), '\0');
    }
    check(write(text_type(width), all.data()), what);
  }
}

Record from_memory(hid_t file_type, std::size_t count,
                   const std::function<herr_t(hid_t, void*)>& read, const std::string& what) {
  switch (H5Tget_class(file_type)) {
    case H5T_INTEGER:
      return array_of<std::int64_t>(H5T_NATIVE_INT64, count, read, what);
    case H5T_FLOAT:
      return array_of<double>(H5T_NATIVE_DOUBLE, count, read, what);
    case H5T_STRING:
      return texts_of(file_type, count, read, what);
    case H5T_ENUM: {
      const Record numbers = array_of<signed char>(boolean_type(), count, read, what);
      Record booleans = Record::array();
      for (const Record& number : numbers) booleans.push_back(number != 0);
      return booleans;
    }
    default:
      throw Failure(ExitCode::Other, what + ": its type is no number, boolean or text");
  }
}

}  // namespace memstencil::hdf5
