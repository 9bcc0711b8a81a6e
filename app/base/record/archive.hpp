// Structs to records and back: each struct lists its members once, in a function describe().
#pragma once

#include "app/base/record/record.hpp"

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace memstencil {

/// Values by name in the order of insertion, as the phases of a run.
template <class T>
struct Named : std::vector<std::pair<std::string, T>> {
  using std::vector<std::pair<std::string, T>>::vector;

  /// Null where there is no such name.
  const T* find(std::string_view name) const {
    for (const auto& [key, value] : *this)
      if (key == name) return &value;
    return nullptr;
  }
  /// @throws std::out_of_range where there is no such name
  const T& at(std::string_view name) const {
    const T* found = find(name);
    if (found == nullptr) throw std::out_of_range("no value is named " + std::string(name));
    return *found;
  }
};

/// A place in a record that a value is written to or read from. A struct takes part by
///
///     void describe(Archive& a, Limit& limit) {
///       a("kind", limit.kind);
///       a("gbs", limit.gbs);
///     }
///
/// in its own namespace. Members may be bool, whole numbers, double, std::string, described
/// structs, Record (anything), and std::vector, std::array, Named and std::optional of these.
class Archive {
public:
  /// Writes: the record becomes what is described.
  explicit Archive(Record& out) : out_(&out) {}
  /// Writes what CSV has: the member of the record for everything described, known or not, so that
  /// all records of a kind have the same, and no lists but the one of this name.
  Archive(Record& out, std::string_view list) : out_(&out), list_(list) {}
  /// Reads. @param where the beginning of the line that refuses: "cannot use FILE.h5, run 0002"
  Archive(const Record& in, const std::string& where) : in_(&in), where_(&where) {}

  /// A member that every record has.
  /// @throws Failure(Other) that names the member where it is missing or of another type
  template <class T>
  void operator()(std::string_view name, T& value) {
    member(name).value(value);
  }
  /// A member that need not be known: null in the record. A record that lacks
  /// it is read in the same way.
  template <class T>
  void operator()(std::string_view name, std::optional<T>& value) {
    if (writing() || has(name))
      member(name).value(value);
    else
      value.reset();
  }
  /// A member that the record lacks where there is no value.
  template <class T>
  void optional(std::string_view name, std::optional<T>& value) {
    if (value || !writing() || list_) (*this)(name, value);
  }
  /// A member that is always written; where an older record lacks it, the value stays as it is.
  template <class T>
  void defaulted(std::string_view name, T& value) {
    if (writing() || has(name)) (*this)(name, value);
  }
  /// Values by name, these at least.
  template <class T>
  void with_names(std::string_view name, Named<T>& values,
                  std::initializer_list<const char*> wanted) {
    Archive place = member(name);
    place.value(values);
    if (!writing())
      for (const char* each : wanted) place.member(each);
  }
  /// A list of at least one.
  template <class T>
  void not_empty(std::string_view name, std::vector<T>& values) {
    (*this)(name, values);
    if (!writing() && values.empty()) member(name).refuse_empty();
  }
  /// A number, or a list of numbers, none of them under `least`.
  template <class T>
  void at_least(std::string_view name, T& value, double least) {
    (*this)(name, value);
    if (!writing()) member(name).check_least(least);
  }
  /// A group whose members are not described. Where an older record lacks it, it stays as it is.
  void any_group(std::string_view name, Record& value);
  /// Of a member that any_group() writes, what this struct describes; written by that alone.
  template <class T>
  void part_of(std::string_view name, T& described) {
    if (!writing()) member(name).value(described);
  }

  /// The whole of this place.
  void value(bool& value);
  void value(double& value);
  void value(std::string& value);
  void value(Record& value);
  template <std::integral T>
  void value(T& value) {
    constexpr std::int64_t highest = std::numeric_limits<std::int64_t>::max();
    value = static_cast<T>(whole_number(static_cast<std::int64_t>(value),
                                        std::signed_integral<T> ? std::numeric_limits<T>::min() : 0,
                                        sizeof(T) < 8 ? std::numeric_limits<T>::max() : highest));
  }
  /// Null where there is no value.
  template <class T>
  void value(std::optional<T>& known) {
    if (!writing()) known.reset();
    if (writing() ? known.has_value() : !in_->is_null())
      value(known ? *known : known.emplace(T{}));  // T{}: for Clang, where T is nested
    else if (list_)
      write_unknown(T{});
  }
  template <class T>
  void value(std::vector<T>& values) {
    if (leaves_out_lists()) return list(0), void();
    values.resize(list(values.size()));
    for (std::size_t n = 0; n < values.size(); ++n) element(n).value(values[n]);
  }
  template <class T, std::size_t N>
  void value(std::array<T, N>& values) {
    if (list(N) != N) refuse_size(N);
    for (std::size_t n = 0; n < N; ++n) element(n).value(values[n]);
  }
  template <class T>
  void value(Named<T>& values) {
    if (!std::is_arithmetic_v<T> && leaves_out_lists()) return list(0), void();
    group();
    if (!writing()) {
      values.clear();
      for (const std::string& name : names()) values.emplace_back(name, T());
    }
    for (auto& [name, each] : values) member(name).value(each);
  }
  template <class T>
  void value(T& described) {
    group();
    describe(*this, described);
  }

private:
  Archive(const Archive& parent, std::string_view name)
      : where_(parent.where_),
        list_(parent.list_),
        unknown_(parent.unknown_),
        parent_(&parent),
        name_(name) {}

  bool writing() const { return out_ != nullptr; }
  bool leaves_out_lists() const;
  template <class T>
  void write_unknown(T value) {
    unknown_ = true;
    this->value(value);
    unknown_ = false;
  }
  bool has(std::string_view name) const;        ///< and it is not null
  Archive member(std::string_view name) const;  ///< @throws Failure where a read record lacks it
  Archive element(std::size_t index) const;
  void group();                        ///< is this place, or becomes it
  std::size_t list(std::size_t size);  ///< is this place, or becomes it; its size
  std::int64_t whole_number(std::int64_t value, std::int64_t lowest, std::int64_t highest);
  std::vector<std::string> names() const;
  std::string path() const;
  /// The line says what is in this place, and what is needed instead.
  [[noreturn]] void refuse(const std::string& needed) const;
  [[noreturn]] void refuse_empty() const;
  void check_least(double least) const;
  [[noreturn]] void refuse_size(std::size_t needed) const;

  const Record* in_ = nullptr;
  Record* out_ = nullptr;
  const std::string* where_ = nullptr;
  std::optional<std::string_view> list_ = {};  ///< where it writes for CSV
  bool unknown_ = false;                       ///< then nulls are written
  const Archive* parent_ = nullptr;
  std::string_view name_ = {};  ///< in the parent; empty for an element of a list
  std::size_t index_ = 0;
};

template <class T>
Record to_record(const T& value) {
  Record out;
  Archive(out).value(const_cast<T&>(value));  // which an archive that writes does not change
  return out;
}

/// The lines of CSV: flat objects with the same columns, named by their paths in the record
/// ("machine.gpu.name"). One of the record, or one for each element of a list of it, whose columns
/// come last. Other lists, and values under names that the user chose, are left out.
template <class T>
Record csv_rows(const T& value, std::string_view list = "") {
  Record out;
  Archive(out, list).value(const_cast<T&>(value));
  return flat_rows(out, std::string(list));
}

/// The words of the user on a run, and the name of the place where it ran.
struct Origin {
  std::optional<std::string> label, site;
};

/// The members that every result begins with. Those of any program are read.
void describe_head(Archive& a, std::string program, Origin& origin);

/// @throws Failure(Other) with one line: "WHERE: 'limit.gbs' is missing", "WHERE: 'limit.gbs' is a
///         text, a number is needed". Elements of lists have the names of their groups in a file:
///         'variants.0001.gbs'
template <class T>
T from_record(const Record& record, const std::string& where) {
  T value{};
  Archive(record, where).value(value);
  return value;
}

}  // namespace memstencil
