// The text that a person reads: the list of probes, and a table for each probe that ran.
#pragma once

#include "app/membench/core/result.hpp"

#include <string>
#include <vector>

namespace memstencil::membench {

std::string text_report(const Result& result);
std::string text_list(const std::vector<ListedProbe>& list);

}  // namespace memstencil::membench
