// The text that a person reads: the list of probes, and the table of each probe that ran.
#pragma once

#include "app/membench/core/result_record.hpp"

#include <string>
#include <vector>

namespace memstencil::membench {

/// A probe as `membench list` shows it.
struct ListedProbe {
  std::string name, summary, source, counted, axes;
  std::optional<std::string> refused;  ///< why it cannot run here
};
void describe(Archive& a, ListedProbe& probe);

std::string text_list(const std::vector<ListedProbe>& list);
std::string text_report(const Result& result);

}  // namespace memstencil::membench
