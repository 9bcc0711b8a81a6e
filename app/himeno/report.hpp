// The text that a person reads: the original's lines, with the report of the memory added.
#pragma once

#include "app/common/record.hpp"

#include <string>

namespace memstencil::himeno {

/// Built from the record of result.hpp, so that text and JSON cannot disagree.
std::string text_report(const Record& record);

/// The table of --tune.
std::string tune_report(const Record& record);

}  // namespace memstencil::himeno
