// The HDF5 types of a record's scalars: int64, double, boolean and UTF-8 text, alone or in a row.
#include "app/common/record/hdf5_types.hpp"

#include "app/common/runtime/failure.hpp"

#include <fmt/format.h>

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

Record texts_of(hid_t file_type, hid_t space, std::size_t count,
                const std::function<herr_t(hid_t, void*)>& read, const std::string& what) {
  Record texts = Record::array();
  if (count == 0) return texts;
  if (H5Tis_variable_str(file_type) > 0) {
    const Handle type = stored_type(Kind::Text);
    std::vector<char*> pointers(count, nullptr);
    check(read(type, pointers.data()), what);
    for (const char* pointer : pointers) texts.push_back(pointer == nullptr ? "" : pointer);
    check(H5Dvlen_reclaim(type, space, H5P_DEFAULT, pointers.data()), what);
    return texts;
  }
  const std::size_t width = H5Tget_size(file_type);
  std::vector<char> bytes(count * width);
  check(read(file_type, bytes.data()), what);
  for (std::size_t n = 0; n < count; ++n) {
    const std::string padded(bytes.data() + n * width, width);
    texts.push_back(padded.substr(0, padded.find('\0')));
  }
  return texts;
}

}  // namespace

Kind kind_of(const Record& values) {
  if (values.empty()) return Kind::Real;
  Kind kind = kind_of_one(values.front());
  for (const Record& value : values) kind = together(kind, kind_of_one(value));
  return kind;
}

Handle stored_type(Kind kind) {
  const std::string what = "an HDF5 type";
  if (kind == Kind::Text) {
    Handle type(H5Tcopy(H5T_C_S1), H5Tclose, what);
    check(H5Tset_size(type, H5T_VARIABLE), what);
    check(H5Tset_cset(type, H5T_CSET_UTF8), what);
    return type;
  }
  if (kind == Kind::Boolean) {
    Handle type(H5Tenum_create(H5T_STD_I8LE), H5Tclose, what);
    const signed char no = 0, yes = 1;
    check(H5Tenum_insert(type, "FALSE", &no), what);
    check(H5Tenum_insert(type, "TRUE", &yes), what);
    return type;
  }
  return Handle(H5Tcopy(kind == Kind::Integer ? H5T_STD_I64LE : H5T_IEEE_F64LE), H5Tclose, what);
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
    check(write(stored_type(kind), booleans.data()), what);
  } else {
    const auto texts = elements<std::string>(values);
    std::vector<const char*> pointers;
    for (const std::string& text : texts) pointers.push_back(text.c_str());
    check(write(stored_type(kind), pointers.data()), what);
  }
}

void require_stored(hid_t dataset, const std::string& what) {
  const Handle properties(H5Dget_create_plist(dataset), H5Pclose, what);
  if (H5Pget_layout(properties) == H5D_VIRTUAL || H5Pget_external_count(properties) > 0)
    throw Failure(ExitCode::Other, what + ": its values stand in another file");
  const Handle space(H5Dget_space(dataset), H5Sclose, what);
  const Handle type(H5Dget_type(dataset), H5Tclose, what);
  const auto count = H5Sget_simple_extent_npoints(space);
  // Deflate packs 1032 bytes into one at best.
  constexpr double packed = 1032, headers = 65536;
  const double stored = static_cast<double>(H5Dget_storage_size(dataset));
  const double claimed = static_cast<double>(count) * static_cast<double>(H5Tget_size(type));
  if (count < 0 || claimed > packed * stored + headers)
    throw Failure(ExitCode::Other,
                  fmt::format("damaged: {} claims {} values, which the {:.0f} bytes that are "
                              "stored of it cannot hold",
                              what, count, stored));
}

Record from_memory(hid_t file_type, hid_t space, std::size_t count,
                   const std::function<herr_t(hid_t, void*)>& read, const std::string& what) {
  switch (H5Tget_class(file_type)) {
    case H5T_INTEGER:
      return array_of<std::int64_t>(H5T_NATIVE_INT64, count, read, what);
    case H5T_FLOAT:
      return array_of<double>(H5T_NATIVE_DOUBLE, count, read, what);
    case H5T_STRING:
      return texts_of(file_type, space, count, read, what);
    case H5T_ENUM: {
      const Handle boolean = stored_type(Kind::Boolean);
      const Record numbers = array_of<signed char>(boolean, count, read, what);
      Record booleans = Record::array();
      for (const Record& number : numbers) booleans.push_back(number != 0);
      return booleans;
    }
    default:
      throw Failure(ExitCode::Other, what + ": its type is no number, boolean or text");
  }
}

}  // namespace memstencil::hdf5
