// The one in-memory result of a run, and what every writer of it shares; structs become records:
// each lists its members once.
#pragma once

#include "app/base/ranks/communicator.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace memstencil {

constexpr const char* results_schema = "memstencil-results";
constexpr int results_schema_version = 3;

/// Scalars, objects, and arrays of scalars of one kind or of objects, in the order of insertion.
/// An unknown fact is null, never invented.
using Record = nlohmann::ordered_json;

/// The value, or null.
template <class Value>
Record or_null(const std::optional<Value>& value) {
  return value ? Record(*value) : Record();
}
/// A value without the quotes that JSON has around a text.
std::string plain_text(const Record& value);

/// A record of every rank, on every rank, in the order of the ranks. Collective.
std::vector<Record> gathered(const Communicator& communicator, const Record& mine);

/// @throws Failure(Verification) that names the first number which is NaN or infinite: JSON has no
///         such number, and a result that holds one is wrong
void require_finite(const Record& record);

/// The record as one indented JSON object with a final newline. @throws as require_finite
std::string to_json(const Record& record);

/// Writes to standard output and sees to it that it arrived.
/// @throws Failure(Other) if it did not, as on a full disk
void print_result(const std::string& text);

/// Values by name in the order of insertion, as the phases of a run.
template <class T>
struct Named : std::vector<std::pair<std::string, T>> {
  using std::vector<std::pair<std::string, T>>::vector;

  /// Null if there is no such name.
  const T* find(std::string_view name) const {
    for (const auto& [key, value] : *this)
      if (key == name) return &value;
    return nullptr;
  }
  /// @throws std::out_of_range if there is no such name
  const T& at(std::string_view name) const {
    const T* found = find(name);
    if (found == nullptr) throw std::out_of_range("no value is named " + std::string(name));
    return *found;
  }
  template <class ToRecord>
  void describe(ToRecord& archive) const {
    for (const auto& [name, value] : *this) archive(name, value);
  }
};

/// A group of a record while it is made. A struct takes part by a line behind its members,
///
///     struct Limit {
///       std::string kind;
///       double gbs = 0;
///       MEMSTENCIL_DESCRIBED(kind, gbs)
///     };
///
/// or by a function of its own, void describe(Archive& a) const. Members may be bool, numbers,
/// std::string, described structs, Record (anything), and std::vector, std::array, Named and
/// std::optional of these.
class Archive {
public:
  explicit Archive(Record& out) : out_(out) { out_ = Record::object(); }

  /// A member; null if an optional one has no value.
  template <class T>
  void operator()(std::string_view name, const T& value) {
    out_[std::string(name)] = value;
  }
  /// A member that the record lacks where there is no value.
  template <class T>
  void optional(std::string_view name, const std::optional<T>& value) {
    if (value) (*this)(name, *value);
  }
  /// Of MEMSTENCIL_MEMBERS: members by their own names. @param names "kind, gbs"
  template <class... T>
  void members(std::string_view names, const T&... values) {
    const auto next = [&names] {
      const std::string_view name = names.substr(0, names.find(','));
      names.remove_prefix(std::min(name.size() + 1, names.size()));
      return name.substr(name.rfind(' ') + 1);
    };
    (member(next(), values), ...);
  }

private:
  template <class T>
  void member(std::string_view name, const T& value) {
    (*this)(name, value);
  }
  template <class T>
  void member(std::string_view name, const std::optional<T>& value) {
    optional(name, value);
  }

  Record& out_;
};

/// In a describe(): members of the struct under their names. The record lacks an optional one that
/// has no value.
#define MEMSTENCIL_MEMBERS(archive, ...) (archive).members(#__VA_ARGS__, __VA_ARGS__)
/// In a struct whose record has these members and no others.
#define MEMSTENCIL_DESCRIBED(...)             \
  template <class ToRecord>                   \
  void describe(ToRecord& archive) const {    \
    MEMSTENCIL_MEMBERS(archive, __VA_ARGS__); \
  }

template <class T>
concept Described = requires(const T& value, Archive& archive) {
  value.describe(archive);
};

template <class T>
Record to_record(const T& value) {
  return value;
}

/// The words of the user on a run, and the name of the place where it ran.
struct Origin {
  std::optional<std::string> label, site;
};

/// The members that every result begins with.
inline void describe_head(Archive& a, const std::string& program, const Origin& origin) {
  a("schema", std::string(results_schema));
  a("schema_version", results_schema_version);
  a("program", program);
  a.optional("label", origin.label);
  a.optional("site", origin.site);
}

}  // namespace memstencil

// By these a record takes any such value, and nlohmann's own ways vectors and arrays of them.
template <memstencil::Described T>
struct nlohmann::adl_serializer<T> {
  static void to_json(memstencil::Record& out, const T& described) {
    memstencil::Archive archive(out);
    described.describe(archive);
  }
};
template <class T>
struct nlohmann::adl_serializer<std::optional<T>> {
  static void to_json(memstencil::Record& out, const std::optional<T>& value) {
    out = memstencil::or_null(value);
  }
};
