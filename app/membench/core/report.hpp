// The text that a person reads: the list of probes, and a table for each probe that ran.
#pragma once

#include "app/common/record.hpp"

#include <string>

namespace memstencil::membench {

/// Built from the records of result.hpp, so that text and JSON cannot disagree.
std::string text_report(const Record& record);

/// Built from list_record().
std::string text_list(const Record& list);

}  // namespace memstencil::membench
