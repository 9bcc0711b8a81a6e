// The text that a person reads.
#pragma once

#include "app/common/record.hpp"

#include <string>

namespace memstencil::transpose {

/// Built from the record of result.hpp, so that text and JSON cannot disagree.
std::string text_report(const Record& record);

}  // namespace memstencil::transpose
