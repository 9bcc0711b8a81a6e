// The head of every text report: what runs where, from the facts of the machine.
#pragma once

#include "app/common/record.hpp"

#include <string>
#include <utility>
#include <vector>

namespace memstencil {

using Lines = std::vector<std::pair<std::string, std::string>>;

/// A value without the quotes that JSON has around a text.
std::string plain_text(const Record& value);

/// Program, MPI, host and GPU of a record that has `program` and the facts under `machine`; nothing
/// where these are not known.
Lines banner(const Record& record);

}  // namespace memstencil
