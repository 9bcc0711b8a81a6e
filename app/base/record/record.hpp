// The one in-memory result of a run, and what every writer of it shares.
#pragma once

#include "app/base/ranks/communicator.hpp"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
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

}  // namespace memstencil
