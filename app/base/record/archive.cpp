// Structs to records and back: each struct lists its members once, in a function describe().
#include "app/base/record/archive.hpp"

#include "app/base/record/user_block.hpp"
#include "app/base/runtime/failure.hpp"

#include <fmt/format.h>

#include <cmath>

namespace memstencil {

namespace {

std::string kind_of(const Record& value) {
  if (value.is_null()) return "null";
  if (value.is_boolean()) return "true or false";
  if (value.is_number()) return "a number";
  if (value.is_string()) return "a text";
  return value.is_array() ? "a list" : "a group";
}

}  // namespace

void Archive::refuse(const std::string& needed) const {
  const std::string subject = parent_ == nullptr ? "the record" : "'" + path() + "'";
  throw Failure(ExitCode::Other,
                fmt::format("{}: {} is {}, {} is needed", *where_, subject, kind_of(*in_), needed));
}

void Archive::refuse_size(std::size_t needed) const {
  throw Failure(ExitCode::Other, fmt::format("{}: '{}' has {} elements, {} are needed", *where_,
                                             path(), in_->size(), needed));
}

void Archive::refuse_empty() const {
  throw Failure(ExitCode::Other, fmt::format("{}: '{}' is empty", *where_, path()));
}

void Archive::check_least(double least) const {
  if (in_->is_array())
    for (std::size_t n = 0; n < in_->size(); ++n) element(n).check_least(least);
  else if (!(in_->get<double>() >= least))
    throw Failure(ExitCode::Other, fmt::format("{}: '{}' is {}, at least {} is needed", *where_,
                                               path(), in_->dump(), least));
}

void Archive::any_group(std::string_view name, Record& value) {
  if (!writing() && !has(name)) return;
  Archive place = member(name);
  place.group();
  place.value(value);
}

std::string Archive::path() const {
  const std::string name = name_.empty() ? fmt::format("{:04}", index_ + 1) : std::string(name_);
  return parent_ == nullptr || parent_->parent_ == nullptr ? name : parent_->path() + "." + name;
}

bool Archive::has(std::string_view name) const {
  const auto found = in_->find(std::string(name));
  return found != in_->end() && !found->is_null();
}

Archive Archive::member(std::string_view name) const {
  Archive place(*this, name);
  if (writing()) {
    place.out_ = &(*out_)[std::string(name)];
    return place;
  }
  const auto found = in_->find(std::string(name));
  if (found == in_->end())
    throw Failure(ExitCode::Other, fmt::format("{}: '{}' is missing", *where_, place.path()));
  place.in_ = &*found;
  return place;
}

Archive Archive::element(std::size_t index) const {
  Archive place(*this, "");
  place.index_ = index;
  if (writing())
    place.out_ = &(*out_)[index];
  else
    place.in_ = &(*in_)[index];
  return place;
}

void Archive::group() {
  if (writing()) {
    if (!out_->is_object()) *out_ = Record::object();
  } else if (!in_->is_object()) {
    refuse("a group");
  }
}

bool Archive::leaves_out_lists() const {
  const bool is_it = list_ == name_ && parent_ != nullptr && parent_->parent_ == nullptr;
  return list_ && !is_it;
}

std::size_t Archive::list(std::size_t size) {
  if (writing()) {
    *out_ = Record::array_t(size);
    return size;
  }
  if (!in_->is_array()) refuse("a list");
  return in_->size();
}

std::vector<std::string> Archive::names() const {
  std::vector<std::string> found;
  for (const auto& [name, value] : in_->items()) found.push_back(name);
  return found;
}

void Archive::value(bool& value) {
  if (writing())
    *out_ = unknown_ ? Record() : Record(value);
  else if (in_->is_boolean())
    value = in_->get<bool>();
  else
    refuse("true or false");
}

void Archive::value(double& value) {
  if (writing())
    *out_ = unknown_ ? Record() : Record(value);
  else if (in_->is_number())
    value = in_->get<double>();
  else
    refuse("a number");
}

void Archive::value(std::string& value) {
  if (writing())
    *out_ = unknown_ ? Record() : Record(value);
  else if (in_->is_string())
    value = in_->get<std::string>();
  else
    refuse("a text");
}

void Archive::value(Record& value) {
  if (writing())
    *out_ = unknown_ ? Record() : value;
  else
    value = *in_;
}

std::int64_t Archive::whole_number(std::int64_t value, std::int64_t lowest, std::int64_t highest) {
  if (writing()) {
    *out_ = unknown_ ? Record() : Record(value);
    return value;
  }
  if (!in_->is_number()) refuse("a whole number");
  // Other programs may have written 10 as 10.0. A double has all whole numbers up to 2^53.
  constexpr double exact = 9007199254740992.0;
  const double number = in_->get<double>();
  const bool whole =
      in_->is_number_integer() || (std::trunc(number) == number && std::abs(number) <= exact);
  const bool fits =
      whole && number >= static_cast<double>(lowest) && number <= static_cast<double>(highest);
  if (!fits) refuse(fmt::format("a whole number from {} to {}", lowest, highest));
  return in_->get<std::int64_t>();
}

void describe_head(Archive& a, std::string program, Origin& origin) {
  std::string schema = results_schema;
  int version = results_schema_version;
  a.defaulted("schema", schema);
  a.defaulted("schema_version", version);
  a("program", program);
  a.optional("label", origin.label);
  a.optional("site", origin.site);
}

}  // namespace memstencil
